import { describe, expect, it } from 'vitest';
import { event, startClient } from './support/client.ts';
import { collectErrorLines } from './support/console.ts';
import { type Answer, acceptStrictly } from './support/fake-ingestion.ts';

describe('flush', () => {
  it('resolves when every call made so far is settled, and not before', async () => {
    let release = (): void => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { client, ingestion } = await startClient(async (request): Promise<Answer> => {
      await released;
      return acceptStrictly(request);
    });
    for (let index = 0; index < 20; index++) void client.capture(event());
    let flushed = false;
    const flush = client.flush().then(() => {
      flushed = true;
    });
    await expect.poll(() => ingestion.requests.length).toBe(16);
    expect(flushed).toBe(false);
    expect(client.stats()).toMatchObject({ sent: 0, waiting: 4, underWay: 16 });
    release();
    await flush;
    expect(client.stats()).toMatchObject({ sent: 20, waiting: 0, underWay: 0 });
  });

  it('resolves a flush without any call', async () => {
    const { client } = await startClient();
    await client.flush();
  });
});

describe('close', () => {
  it('delivers earlier calls and refuses later ones after close, however often it is called', async () => {
    const lines = collectErrorLines();
    const { client, ingestion } = await startClient();
    const before = client.capture(event());
    const closing = [client.close(), client.close()];
    expect(await client.capture(event())).toBeNull();
    await Promise.all(closing);
    await client.close();
    expect(await before).not.toBeNull();
    expect(ingestion.requests).toHaveLength(1);
    expect(client.stats()).toMatchObject({ sent: 1, lost: { closed: 1 } });
    expect(lines).toEqual(['[tocsin] capture "deploy" was lost: closed']);
  });
});

describe('the memory', () => {
  it('bounds the memory in calls', async () => {
    const lines = collectErrorLines();
    const { client, time } = await startClient();
    for (let index = 0; index < 131_077; index++) void client.capture(event());
    await client.flush();
    time.advance(1_000);
    expect(client.stats()).toMatchObject({ sent: 131_072, lost: { queue_full: 5 } });
    expect(lines).toEqual([
      '[tocsin] capture "deploy" was lost: queue_full',
      '[tocsin] 4 more calls were lost (queue_full 4); the last: capture "deploy" was lost: queue_full',
    ]);
  });

  it('bounds the memory in bytes', async () => {
    collectErrorLines();
    const { client } = await startClient();
    const payload = { text: 'x'.repeat(1_000_000) };
    for (let index = 0; index < 74; index++) void client.capture(event({ payload }));
    await client.flush();
    expect(client.stats()).toMatchObject({ sent: 67, lost: { queue_full: 7 } });
  });
});
