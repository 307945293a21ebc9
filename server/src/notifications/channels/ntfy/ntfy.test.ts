import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { answer, exchange, longMessage, messageOf, readBody, strict } from '../testing.ts';
import { ntfy } from './ntfy.ts';

const CONFIG = { server: 'https://ntfy.example.com', topic: 'tocsin-7Hq2' };
/** https://docs.ntfy.sh/publish/#publish-as-json */
const Body = strict({
  topic: Type.String({ pattern: '^[-_A-Za-z0-9]{1,64}$' }),
  title: Type.String({ maxLength: 500 }),
  message: Type.String(),
  priority: Type.Integer({ minimum: 1, maximum: 5 }),
  tags: Type.Array(Type.String()),
  click: Type.Optional(Type.String({ pattern: '^https?://' })),
  actions: Type.Optional(
    Type.Array(strict({ action: Type.Literal('view'), label: Type.String(), url: Type.String() }), {
      maxItems: 3,
    }),
  ),
});
const accepted = () => answer(200, { id: 'x', event: 'message' });

it('publishes to the root of the server with priority, tags and a link', async () => {
  const { attempted, requests } = await exchange(ntfy, CONFIG, accepted);
  expect(attempted.outcome).toEqual({ kind: 'delivered', remote: null });
  const [request] = requests;
  expect(request).toMatchObject({ method: 'POST', url: 'https://ntfy.example.com/' });
  expect(request?.headers).not.toHaveProperty('authorization');
  expect(readBody(Body, request)).toMatchObject({
    topic: 'tocsin-7Hq2',
    title: 'Checkout errors up in shop',
    message: '70 errors in 3 min, usually 2.\nProject: Shop · Severity: error\nA route sends it.',
    priority: 4,
    click: messageOf().url,
  });
});

it('authenticates by a token, and rings for critical but not for resolved incidents', async () => {
  const config = { ...CONFIG, token: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2' };
  const critical = messageOf({ severity: 'critical' });
  const { requests } = await exchange(ntfy, config, accepted, { message: critical });
  expect(requests[0]?.headers['authorization']).toBe(`Bearer ${config.token}`);
  expect(readBody(Body, requests[0]).priority).toBe(5);
  const resolved = messageOf({ severity: 'critical', state: 'resolved', url: null });
  const { requests: later } = await exchange(ntfy, config, accepted, { message: resolved });
  expect(readBody(Body, later[0])).toMatchObject({ priority: 2, tags: ['white_check_mark'] });
});

it('sends no more text than ntfy takes, since it makes a file of a longer one', async () => {
  const { requests } = await exchange(ntfy, CONFIG, accepted, { message: longMessage() });
  const { message } = readBody(Body, requests[0]);
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4_096);
  expect(message.isWellFormed()).toBe(true);
});

it('gives up where the topic is refused, and waits where there are too many', async () => {
  const refused = await exchange(ntfy, CONFIG, () => answer(403, { code: 40_301 }));
  expect(refused.attempted.outcome).toMatchObject({ kind: 'permanent', isTargetRefused: true });
  const limited = await exchange(ntfy, CONFIG, () => answer(429, {}, { 'retry-after': '7' }));
  expect(limited.attempted.outcome).toMatchObject({ kind: 'retry', retryAfterMs: 7_000 });
});
