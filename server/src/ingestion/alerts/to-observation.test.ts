import { expect, it } from 'vitest';
import { toScrubSettings } from '../../scrubbing/scrub.ts';
import { readNotification } from './read-notification.ts';
import { toNotice } from './to-observation.ts';

const STARTS_AT = '2026-11-27T09:00:00.000Z';
const PASSWORD = ['hunter2', 'x7f3a9c1'].join('');

it('replaces secrets in the texts of alerts alone, whatever names a project chose', () => {
  const labels = { alertname: 'Login', login_password: PASSWORD, start: 'cold' };
  const sent = {
    groupKey: `{}:{login="${PASSWORD}"}`,
    alerts: [{ status: 'firing', labels, startsAt: STARTS_AT, fingerprint: 'f1' }],
  };
  const settings = toScrubSettings({ names: ['start', 'starts', 'at', 'group', 'truncated', 'ms'], off: [] });
  const notification = readNotification('alertmanager', Buffer.from(JSON.stringify(sent)));
  expect(toNotice(notification, settings)).toMatchObject({
    groupKey: '{}:{login="[Filtered]"}',
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
