import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { answer, exchange, HOSTILE, longMessage, messageOf, readBody, strict } from '../testing.ts';
import { slack } from './slack.ts';

const WEBHOOK = { webhookUrl: 'https://hooks.slack.example/services/T0/B0/xyz' };
const BOT = { botToken: 'xoxb-1234567890-abcdef', channel: 'C024BE91L' };

const plain = (maxLength: number) =>
  strict({
    type: Type.Literal('plain_text'),
    text: Type.String({ minLength: 1, maxLength }),
    emoji: Type.Literal(false),
  });
/** https://docs.slack.dev/reference/block-kit/blocks and /methods/chat.postMessage */
const content = {
  text: Type.String({ minLength: 1, maxLength: 4_000 }),
  mrkdwn: Type.Literal(false),
  unfurl_links: Type.Literal(false),
  unfurl_media: Type.Literal(false),
  blocks: Type.Array(
    Type.Union([
      strict({ type: Type.Literal('header'), text: plain(150) }),
      strict({ type: Type.Literal('section'), text: plain(3_000) }),
      strict({ type: Type.Literal('context'), elements: Type.Array(plain(2_000), { maxItems: 10 }) }),
      strict({
        type: Type.Literal('actions'),
        elements: Type.Array(
          strict({ type: Type.Literal('button'), text: plain(75), url: Type.String({ maxLength: 3_000 }) }),
        ),
      }),
    ]),
    { maxItems: 50 },
  ),
};
const Posted = strict({ channel: Type.Optional(Type.String()), ...content });
const Updated = strict({ channel: Type.String(), ts: Type.String(), ...content });
const posted = () => answer(200, { ok: true, channel: 'C024BE91L', ts: '1503435956.000247' });

describe('an incoming webhook of Slack', () => {
  it('sends blocks of plain text, and is delivered by the answer `ok` alone', async () => {
    const { attempted, requests } = await exchange(slack, WEBHOOK, () => answer(200, 'ok'));
    expect(attempted.outcome).toEqual({ kind: 'delivered', remote: null });
    expect(requests[0]?.url).toBe(WEBHOOK.webhookUrl);
    const types = readBody(Posted, requests[0]).blocks.map(({ type }) => type);
    expect(types).toEqual(['header', 'section', 'context', 'actions']);
    const odd = await exchange(slack, WEBHOOK, () => answer(200, 'no_text'));
    expect(odd.attempted.outcome.kind).toBe('permanent');
    expect(slack.canEdit({})).toBe(false);
  });

  it('leaves the button out without a link', async () => {
    const message = messageOf({ url: null, silenceUrl: null });
    const { requests } = await exchange(slack, WEBHOOK, () => answer(200, 'ok'), { message });
    expect(JSON.stringify(readBody(Posted, requests[0]))).not.toContain('actions');
  });
});

describe('a bot of Slack', () => {
  it('posts one message, and edits it later', async () => {
    const first = await exchange(slack, BOT, posted);
    expect(first.requests[0]).toMatchObject({ url: 'https://slack.com/api/chat.postMessage' });
    expect(first.requests[0]?.headers['authorization']).toBe(`Bearer ${BOT.botToken}`);
    expect(readBody(Posted, first.requests[0]).channel).toBe('C024BE91L');
    const remote = { channel: 'C024BE91L', ts: '1503435956.000247' };
    expect(first.attempted.outcome).toEqual({ kind: 'delivered', remote });
    const second = await exchange(slack, BOT, posted, { previous: remote });
    expect(second.requests[0]?.url).toBe('https://slack.com/api/chat.update');
    expect(readBody(Updated, second.requests[0])).toMatchObject(remote);
    expect(slack.canEdit({ channel: 'C024BE91L' })).toBe(true);
  });

  it('reads the answers with status 200 that say that it failed', async () => {
    const outcomeOf = async (error: string) =>
      (await exchange(slack, BOT, () => answer(200, { ok: false, error }))).attempted.outcome;
    expect(await outcomeOf('message_not_found')).toMatchObject({ kind: 'message_gone' });
    expect(await outcomeOf('internal_error')).toMatchObject({ kind: 'retry' });
    expect(await outcomeOf('invalid_auth')).toMatchObject({ kind: 'permanent', isTargetRefused: true });
    expect(await outcomeOf('invalid_blocks')).toMatchObject({ kind: 'permanent', isTargetRefused: false });
    const limited = await exchange(slack, BOT, () => answer(429, {}, { 'retry-after': '30' }));
    expect(limited.attempted.outcome).toMatchObject({ kind: 'retry', retryAfterMs: 30_000 });
  });

  it('keeps hostile text in plain text within the bounds, and escapes the rest', async () => {
    const { requests } = await exchange(slack, BOT, posted, { message: longMessage() });
    expect(readBody(Posted, requests[0]).text).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/);
    const message = messageOf({ headline: HOSTILE[1] ?? '' });
    const { requests: short } = await exchange(slack, BOT, posted, { message });
    expect(readBody(Posted, short[0]).text).toContain('&lt;!channel&gt;');
  });
});

it('needs a webhook or a bot with a channel, and not both', () => {
  const fields = (config: object) => slack.check({ ...config }).map(({ field }) => field);
  expect(fields({})).toEqual(['webhookUrl']);
  expect(fields({ ...WEBHOOK, ...BOT })).toEqual(['webhookUrl']);
  expect(fields({ botToken: BOT.botToken })).toEqual(['channel']);
  expect(fields({ webhookUrl: 'ftp://example.com' })).toEqual(['webhookUrl']);
  expect([...fields(WEBHOOK), ...fields(BOT)]).toEqual([]);
});
