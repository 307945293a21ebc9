import { expect, it } from 'vitest';
import { type ScrubSettings, toScrubSettings } from '../../scrubbing/scrub.ts';
import { readNotification } from './read-notification.ts';
import { toNotice } from './to-observation.ts';

const STARTS_AT = '2026-11-27T09:00:00.000Z';
const PASSWORD = ['hunter2', 'x7f3a9c1'].join('');

const noticeOf = (sent: object, settings?: ScrubSettings) =>
  toNotice(readNotification('alertmanager', Buffer.from(JSON.stringify(sent))), settings);

it('tells groups apart whose keys differ in a secret alone, and holds no key', () => {
  const alert = { status: 'firing', labels: { alertname: 'CertExpiry' }, startsAt: STARTS_AT };
  const notices = ['web-tls-2026', 'api-tls-2027'].map((secret) =>
    noticeOf({ groupKey: `{}:{secret="${secret}"}`, alerts: [alert] }),
  );
  expect(new Set(notices.map((notice) => notice?.groupHash)).size).toBe(2);
  expect(JSON.stringify(notices)).not.toContain('tls');
});

it('replaces secrets in the texts of alerts alone, whatever names a project chose', () => {
  const labels = { alertname: 'Login', login_password: PASSWORD, start: 'cold' };
  const sent = {
    groupKey: `{}:{login="${PASSWORD}"}`,
    alerts: [{ status: 'firing', labels, startsAt: STARTS_AT, fingerprint: 'f1' }],
  };
  const settings = toScrubSettings({
    names: ['start', 'starts', 'at', 'group', 'truncated', 'ms'],
    off: [],
    safe: [],
    personal: [],
  });
  expect(noticeOf(sent, settings)).toMatchObject({
    truncated: 0,
    listed: [
      {
        fingerprint: 'f1',
        isFiring: true,
        startsAtMs: Date.parse(STARTS_AT),
        endsAtMs: null,
        title: 'Login (login_password [Filtered], start [Filtered])',
      },
    ],
  });
});
