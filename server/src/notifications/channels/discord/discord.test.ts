import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { answer, exchange, HOSTILE, longMessage, messageOf, readBody, strict } from '../testing.ts';
import { discord } from './discord.ts';

const CONFIG = { url: 'https://discord.example/api/webhooks/1234567890/abc-DEF_ghi?thread_id=42' };
/** https://discord.com/developers/docs/resources/webhook#execute-webhook and /resources/message#embed-object-embed-limits */
const Body = strict({
  username: Type.String({ minLength: 1, maxLength: 80 }),
  allowed_mentions: strict({ parse: Type.Array(Type.String(), { maxItems: 0 }) }),
  embeds: Type.Array(
    strict({
      title: Type.String({ minLength: 1, maxLength: 256 }),
      description: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
      url: Type.Optional(Type.String({ pattern: '^https?://[^/]+\\.[^/]+' })),
      color: Type.Integer({ minimum: 0, maximum: 0xff_ff_ff }),
      fields: Type.Array(
        strict({
          name: Type.String({ minLength: 1, maxLength: 256 }),
          value: Type.String({ minLength: 1, maxLength: 1_024 }),
          inline: Type.Boolean(),
        }),
        { maxItems: 25 },
      ),
      footer: strict({ text: Type.String({ maxLength: 2_048 }) }),
      timestamp: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' }),
    }),
    { maxItems: 10 },
  ),
});
const created = () => answer(200, { id: '987654321' });

it('posts one message, and edits it', async () => {
  const first = await exchange(discord, CONFIG, created);
  const [request] = first.requests;
  expect(request?.method).toBe('POST');
  expect(Object.fromEntries(new URL(request?.url ?? '').searchParams)).toEqual({
    thread_id: '42',
    wait: 'true',
  });
  readBody(Body, request);
  expect(first.attempted.outcome).toEqual({ kind: 'delivered', remote: { id: '987654321' } });
  const second = await exchange(discord, CONFIG, created, { previous: { id: '987654321' } });
  expect(second.requests[0]).toMatchObject({
    method: 'PATCH',
    url: 'https://discord.example/api/webhooks/1234567890/abc-DEF_ghi/messages/987654321?thread_id=42',
  });
});

it('sends a new message after the old one was deleted, and gives up after the webhook was', async () => {
  const missing = (code: number) => () => answer(404, { code, message: 'Unknown' });
  const outcomeOf = async (code: number) =>
    (await exchange(discord, CONFIG, missing(code), { previous: { id: '1' } })).attempted.outcome;
  expect(await outcomeOf(10_008)).toMatchObject({ kind: 'message_gone' });
  expect(await outcomeOf(10_015)).toMatchObject({ kind: 'permanent', isTargetRefused: true });
});

it('links no address without a dot in its host, which Discord refuses, and shows it as text', async () => {
  const message = messageOf({ url: 'http://localhost:4000/app/incidents/inc_1' });
  const { requests } = await exchange(discord, CONFIG, created, { message });
  const [embed] = readBody(Body, requests[0]).embeds;
  expect(embed?.url).toBeUndefined();
  expect(embed?.description?.replaceAll('\\', '')).toContain('http://localhost:4000/app/incidents/inc_1');
});

it('escapes hostile text within the bounds, and never pings', async () => {
  const { requests } = await exchange(discord, CONFIG, created, { message: longMessage() });
  const text = String(requests[0]?.body);
  expect(text.isWellFormed()).toBe(true);
  const { embeds } = readBody(Body, requests[0]);
  const { title, description = '', fields = [], footer } = embeds[0] ?? {};
  const total = [title, description, footer?.text, ...fields.flatMap(({ name, value }) => [name, value])];
  expect(total.reduce((sum, part) => sum + (part?.length ?? 0), 0)).toBeLessThanOrEqual(6_000);
  for (const hostile of HOSTILE) {
    const { requests: one } = await exchange(discord, CONFIG, created, {
      message: messageOf({ headline: hostile, lines: [hostile], silenceUrl: null }),
    });
    const shown = readBody(Body, one[0]).embeds[0];
    for (const part of [shown?.title, shown?.description]) {
      expect(part?.replaceAll(/\\[^0-9A-Za-z\s]/g, '')).not.toMatch(/[*_~`|>#[\]()<@:]/);
    }
  }
});

it('accepts only addresses of webhooks', () => {
  const check = (url: string) => discord.check({ url }).length;
  expect(check(CONFIG.url)).toBe(0);
  for (const url of [
    'https://discord.com/channels/1/2',
    'discord.com',
    'https://a:b@discord.com/webhooks/1/x',
  ])
    expect(check(url)).toBe(1);
});
