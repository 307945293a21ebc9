import { describe, expect, it } from 'vitest';
import { createLinks } from '../messages/links.ts';
import type { ChannelConfig } from './base/channel.ts';
import type { PushToBrowsers } from './base/push.ts';
import { CHANNEL_KINDS, CHANNELS, type ChannelKind } from './registry.ts';
import { answer, exchange, messageOf } from './testing.ts';

const CONFIGS: Record<ChannelKind, ChannelConfig> = {
  webhook: { url: 'https://example.com/hook', secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0' },
  ntfy: { server: 'https://ntfy.example.com', topic: 'alerts' },
  slack: { webhookUrl: 'https://hooks.slack.example/services/T0/B0/xyz' },
  discord: { url: 'https://discord.com/api/webhooks/1/x' },
  telegram: { token: '123456:abcdefghijklmnopqrstuvwxyz', chatId: '-100' },
  teams: { url: 'https://prod.logic.azure.com/workflows/x' },
  pagerduty: { routingKey: 'a'.repeat(32) },
  email: { to: 'on-call@example.com' },
  webpush: {},
};

const links = createLinks(new URL('https://tocsin.example.com'));
const id = 'inc_01h455vb4pex5vsknk084sn02q';

/** Everything that a channel sends, as text. */
async function sentBy(kind: ChannelKind, changes: Parameters<typeof messageOf>[0]): Promise<string> {
  const mails: unknown[] = [];
  const sendMail = async (mail: object) => {
    mails.push(mail);
    return '250 OK';
  };
  // The browser's service worker receives paths alone: it knows the dashboard's address.
  const pushToBrowsers: PushToBrowsers = async (_, { payload }) => {
    const { path, silence } = JSON.parse(payload.toString()) as Record<string, unknown>;
    mails.push(JSON.stringify([path, silence]).replaceAll('"/app', '"https://tocsin.example.com/app'));
    return [];
  };
  const respond = () => answer(200, { ok: true, id: '1', result: { message_id: 1 } });
  const { requests } = await exchange(CHANNELS[kind], CONFIGS[kind], respond, {
    message: messageOf(changes),
    services: { sendMail, pushToBrowsers },
  });
  return JSON.stringify([...mails, ...requests.map(({ body }) => JSON.parse(String(body)) as unknown)]);
}

describe('a message of every channel', () => {
  it.each(CHANNEL_KINDS)('leads to the page on which a key takes the incident on: %s', async (kind) => {
    expect(await sentBy(kind, { url: links.incident(id) })).toContain(
      `https://tocsin.example.com/app/incidents/${id}`,
    );
  });

  it.each(CHANNEL_KINDS.filter((kind) => kind !== 'webhook'))(
    'leads to the dialog that silences it where there is something to silence: %s',
    async (kind) => {
      const address = `https://tocsin.example.com/app/incidents/${id}?silence=4h`;
      expect(await sentBy(kind, { silenceUrl: links.silence(id) })).toContain(address);
      expect(await sentBy(kind, { silenceUrl: null })).not.toMatch(/silence/i);
    },
  );

  it('leads to a group by the same parameter', () => {
    expect(links.silence('grp_1')).toBe('https://tocsin.example.com/app/groups/grp_1?silence=4h');
  });
});
