import { expect, it } from 'vitest';
import type { ChannelConfig } from './base/channel.ts';
import { listSecretsToEnter, splitConfig } from './fields.ts';
import { CHANNEL_KINDS, CHANNELS, type ChannelKind } from './registry.ts';
import { messageOf } from './testing.ts';

const A = 'https://one.example/hooks/1/token';
const B = 'https://two.example/hooks/1/token';
const DISCORD = (url: string) => url.replace('hooks', 'api/webhooks');

/** Configurations of each kind with all of their fields, and another value for each field. */
const SAMPLES: Record<ChannelKind, { config: ChannelConfig; other: ChannelConfig }[]> = {
  webhook: [{ config: { url: A, secret: 'whsec_a' }, other: { url: B, secret: 'whsec_b' } }],
  ntfy: [
    {
      config: { server: 'https://one.example', topic: 'a', token: 'tk_a' },
      other: { server: 'https://two.example', topic: 'b', token: 'tk_b' },
    },
  ],
  slack: [
    { config: { webhookUrl: A }, other: { webhookUrl: B } },
    {
      config: { botToken: 'xoxb-aaaaaaaaaa', channel: 'C00000A' },
      other: { botToken: 'xoxb-bbbbbbbbbb', channel: 'C00000B' },
    },
  ],
  discord: [{ config: { url: DISCORD(A) }, other: { url: DISCORD(B) } }],
  telegram: [
    {
      config: { token: `12345:${'a'.repeat(30)}`, chatId: '-1', topicId: 1 },
      other: { token: `12345:${'b'.repeat(30)}`, chatId: '-2', topicId: 2 },
    },
  ],
  teams: [{ config: { url: A }, other: { url: B } }],
  pagerduty: [
    {
      config: { routingKey: 'a'.repeat(32), region: 'us' },
      other: { routingKey: 'b'.repeat(32), region: 'eu' },
    },
  ],
  email: [{ config: { to: 'a@one.example' }, other: { to: 'a@two.example' } }],
  webpush: [
    {
      config: { userId: 'usr_01h455vb4pex5vsknk084sn02q' },
      other: { userId: 'usr_01h455vb4pex5vsknk084sn02r' },
    },
  ],
};

/** Hosts that the requests of a message go to. */
async function hostsOf(kind: ChannelKind, config: ChannelConfig): Promise<string[]> {
  const channel = CHANNELS[kind];
  if (channel.transport === 'direct') return [];
  const requests = await channel.render({
    config,
    message: messageOf(),
    previous: null,
    organizationId: '018e4a3b-0000-7000-8000-000000000000',
    acceptedBy: [],
    nowMs: 0,
    services: {
      version: '1',
      sendMail: null,
      pushToBrowsers: async () => [],
      mayMail: async () => true,
    },
  });
  return requests.map(({ url }) => new URL(url).host);
}

it.each(CHANNEL_KINDS)('knows the role of each field of %s, and of none that it does not have', (kind) => {
  const { fields, schema } = CHANNELS[kind];
  expect(Object.keys(fields).toSorted()).toEqual(
    Object.keys((schema as { properties?: object }).properties ?? {}).toSorted(),
  );
  const derived = Object.keys(fields).filter((name) => fields[name] === 'derived');
  const sampled = SAMPLES[kind].flatMap(({ config }) => Object.keys(config));
  expect([...sampled, ...derived].toSorted()).toEqual(Object.keys(fields).toSorted());
});

it.each(CHANNEL_KINDS)('calls each field of %s an address that changes where requests go', async (kind) => {
  const channel = CHANNELS[kind];
  for (const { config, other } of SAMPLES[kind]) {
    const hosts = await hostsOf(kind, config);
    for (const name of Object.keys(config)) {
      const moved = await hostsOf(kind, { ...config, [name]: other[name] });
      const isAddress = ['address', 'secret address'].includes(channel.fields[name] ?? '');
      if (channel.transport === 'http')
        expect([name, isAddress]).toEqual([name, String(moved) !== String(hosts)]);
    }
  }
});

it.each(CHANNEL_KINDS)('asks for the secrets of %s again that would be sent to another host', (kind) => {
  const channel = CHANNELS[kind];
  for (const { config, other } of SAMPLES[kind]) {
    const isSent = (name: string) => ['secret', 'secret address'].includes(channel.fields[name] ?? '');
    for (const name of Object.keys(config)) {
      const patch = { [name]: other[name] };
      const asked = listSecretsToEnter(channel, { before: config, after: { ...config, ...patch }, patch });
      const isAddress = ['address', 'secret address'].includes(channel.fields[name] ?? '');
      expect(asked).toEqual(
        isAddress ? Object.keys(config).filter((each) => each !== name && isSent(each)) : [],
      );
    }
    expect(listSecretsToEnter(channel, { before: config, after: other, patch: other })).toEqual([]);
  }
});

it('treats another path of the same host as the same place', () => {
  const before = { server: 'https://ntfy.example/', topic: 'a', token: 'tk_a' };
  const change = (server: string) =>
    listSecretsToEnter(CHANNELS.ntfy, { before, after: { ...before, server }, patch: { server } });
  expect(change('https://NTFY.example/path')).toEqual([]);
  for (const server of ['http://ntfy.example', 'https://ntfy.example:8443', 'https://ntfy.example.org'])
    expect(change(server)).toEqual(['token']);
});

it.each(CHANNEL_KINDS)('shows no secret of %s, nor its address where that is one', (kind) => {
  for (const { config } of SAMPLES[kind]) {
    const { shown, secrets } = splitConfig(CHANNELS[kind], config);
    for (const value of Object.values(secrets)) expect(JSON.stringify(shown)).not.toContain(String(value));
    expect(CHANNELS[kind].describe(shown)).not.toContain('token');
  }
  expect(splitConfig(CHANNELS.webhook, { url: A, host: 'forged.example' }).shown).toEqual({
    host: 'one.example',
  });
});
