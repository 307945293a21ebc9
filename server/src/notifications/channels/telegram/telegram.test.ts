import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { answer, exchange, HOSTILE, longMessage, messageOf, readBody, strict } from '../testing.ts';
import { telegram } from './telegram.ts';

const CONFIG = { token: '123456789:AAExampleTokenOfAtLeastThirtyChars', chatId: '-1001234567890' };
/** https://core.telegram.org/bots/api#sendmessage */
const content = {
  text: Type.String({ minLength: 1 }),
  parse_mode: Type.Literal('HTML'),
  link_preview_options: strict({ is_disabled: Type.Literal(true) }),
};
const Sent = strict({
  chat_id: Type.String(),
  message_thread_id: Type.Optional(Type.Integer()),
  disable_notification: Type.Boolean(),
  ...content,
});
const Edited = strict({ chat_id: Type.String(), message_id: Type.Integer(), ...content });
const sent = () => answer(200, { ok: true, result: { message_id: 77, chat: { id: -1_001_234_567_890 } } });
const failed = (code: number, description: string, parameters?: object) => () =>
  answer(code, { ok: false, error_code: code, description, ...(parameters && { parameters }) });

/** Reads HTML as Telegram does, and refuses invalid markup. @returns the text without markup */
function readHtml(html: string): string {
  const open: string[] = [];
  const text = html.replaceAll(/<([^>]*)>/g, (_mark, inner: string) => {
    const tag = /^(?:\/?(?:b|i)|\/a|a href="[^"<>]*")$/.exec(inner)?.[0];
    if (tag === undefined) throw new Error(`Telegram refuses <${inner}>.`);
    if (tag.startsWith('/')) expect(open.pop()).toBe(tag.slice(1));
    else open.push(tag.slice(0, 1));
    return '';
  });
  expect(open).toEqual([]);
  expect(text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot);)/);
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}

it('sends one message, and edits it', async () => {
  const first = await exchange(telegram, { ...CONFIG, topicId: 9 }, sent);
  expect(first.requests[0]?.url).toBe(`https://api.telegram.org/bot${CONFIG.token}/sendMessage`);
  const body = readBody(Sent, first.requests[0]);
  expect(body).toMatchObject({ chat_id: CONFIG.chatId, message_thread_id: 9, disable_notification: false });
  expect(readHtml(body.text)).toMatch(/^Checkout errors up in shop\n70 errors/);
  const remote = { messageId: '77', chatId: '-1001234567890' };
  expect(first.attempted.outcome).toEqual({ kind: 'delivered', remote });
  const second = await exchange(telegram, CONFIG, sent, { previous: remote });
  expect(second.requests[0]?.url).toMatch(/\/editMessageText$/);
  expect(readBody(Edited, second.requests[0])).toMatchObject({ chat_id: remote.chatId, message_id: 77 });
});

it('follows a group that became a supergroup', async () => {
  const moved = failed(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
    migrate_to_chat_id: -100_999,
  });
  const { attempted } = await exchange(telegram, CONFIG, moved);
  expect(attempted).toMatchObject({
    outcome: { kind: 'retry', retryAfterMs: 0 },
    config: { ...CONFIG, chatId: '-100999' },
  });
});

it('classifies the descriptions of Telegram', async () => {
  const previous = { messageId: '77', chatId: CONFIG.chatId };
  const outcomeOf = async (respond: () => ReturnType<typeof answer>) =>
    (await exchange(telegram, CONFIG, respond, { previous })).attempted.outcome;
  expect(await outcomeOf(failed(400, 'Bad Request: message is not modified'))).toEqual({
    kind: 'delivered',
    remote: previous,
  });
  expect(await outcomeOf(failed(400, 'Bad Request: message to edit not found'))).toMatchObject({
    kind: 'message_gone',
  });
  expect(await outcomeOf(failed(400, 'Bad Request: chat not found'))).toMatchObject({
    kind: 'permanent',
    isTargetRefused: true,
  });
  expect(await outcomeOf(failed(401, 'Unauthorized'))).toMatchObject({
    kind: 'permanent',
    isTargetRefused: true,
    reason: 'Telegram answered “Unauthorized”.',
  });
  expect(await outcomeOf(failed(429, 'Too Many Requests', { retry_after: 35 }))).toMatchObject({
    kind: 'retry',
    retryAfterMs: 35_000,
  });
  expect(await outcomeOf(() => answer(200, { ok: false, description: 'odd' }))).toMatchObject({
    kind: 'delivered',
  });
});

it('escapes hostile text within the bounds', async () => {
  const { requests } = await exchange(telegram, CONFIG, sent, { message: longMessage() });
  expect(readHtml(readBody(Sent, requests[0]).text).length).toBeLessThanOrEqual(4_096);
  for (const hostile of HOSTILE) {
    const message = messageOf({ headline: hostile, lines: [hostile], why: hostile });
    const { requests: one } = await exchange(telegram, CONFIG, sent, { message });
    expect(readHtml(readBody(Sent, one[0]).text)).toContain(hostile);
  }
});
