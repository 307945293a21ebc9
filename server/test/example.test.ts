import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { startTestService, type TestUser } from './support/service.ts';
import { waitFor } from './support/wait.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

describe('the Express example', async () => {
  const service = await startTestService();
  const shops: ChildProcess[] = [];

  afterAll(() => {
    for (const shop of shops) shop.kill('SIGKILL');
  });

  async function openShop(apiKey: string, failureRate: string) {
    const shop = spawn(process.execPath, ['src/server.js'], {
      cwd: path.join(ROOT, 'examples/express'),
      env: {
        ...process.env,
        PORT: '0',
        TOCSIN_URL: service.ingestionUrl,
        TOCSIN_API_KEY: apiKey,
        FAILURE_RATE: failureRate,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    shops.push(shop);
    let output = '';
    for (const stream of [shop.stdout, shop.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const url = await waitFor('the shop to listen', () => {
      if (shop.exitCode !== null) throw new Error(`The shop ended with ${shop.exitCode}: ${output}`);
      return /http:\S+/.exec(output)?.[0];
    });
    return {
      checkOut: () =>
        fetch(`${url}/checkout`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ items: ['bell', 'rope'], customer: 'ada' }),
        }),
      close: async () => {
        const ended = once(shop, 'exit');
        shop.kill('SIGTERM');
        return (await ended)[0] as number | null;
      },
    };
  }

  async function readEvents(user: TestUser, type: string) {
    const { body } = await user.api.get(`/events?type=${type}`);
    return body.length > 0 ? body : null;
  }

  it('reports a failed checkout with its stack, its request and its order', async () => {
    const user = await service.signUp();
    const { apiKey } = await user.createProject();
    const shop = await openShop(apiKey, '1');

    const answer = await shop.checkOut();
    expect(answer.status).toBe(502);
    expect(await answer.json()).toEqual({ error: 'Something went wrong.' });

    const [event] = await waitFor('the error to be stored', () => readEvents(user, 'server_error'));
    expect(event).toMatchObject({
      severity: 'error',
      source: 'Shop',
      message: expect.stringContaining('The payment service did not answer'),
      correlation: { service: 'Shop', customer_id: 'ada' },
      correlationId: expect.stringMatching(/^ord_/),
      payload: { status_code: 502, path: '/checkout', method: 'POST' },
    });
    expect(event.payload.frames[0]).toMatchObject({
      function: 'chargeCard',
      file: expect.stringMatching(/examples\/express\/src\/payments\.js$/),
      inApplication: true,
    });
    expect(await shop.close()).toBe(0);
  });

  it('delivers all reports when it is stopped right after them', async () => {
    const user = await service.signUp();
    const { apiKey } = await user.createProject();
    const shop = await openShop(apiKey, '0');

    const answer = await shop.checkOut();
    expect(answer.status).toBe(201);
    expect(await shop.close()).toBe(0);

    await service.settled();
    const { id } = (await answer.json()) as { id: string };
    expect(await readEvents(user, 'order.paid')).toMatchObject([
      { severity: 'info', correlationId: id, payload: { total: 5100, items: 2 } },
    ]);
  });
});
