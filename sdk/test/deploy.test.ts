import { describe, expect, it } from 'vitest';
import { event, startClient } from './support/client.ts';
import { collectErrorLines } from './support/console.ts';
import { acceptStrictly } from './support/fake-ingestion.ts';
import { START_MS } from './support/virtual-time.ts';

describe('deploy', () => {
  it('sends one POST to /ingest/deploys, and resolves to the body of the answer', async () => {
    const { client, ingestion } = await startClient();
    const at = new Date(START_MS - 20 * 86_400_000);
    const result = await client.deploy({ release: '4.18.1', environment: 'staging', at });
    expect(result).toMatchObject({ status: 'queued' });
    expect(ingestion.paths()).toEqual(['/ingest/deploys']);
    expect(ingestion.events()).toEqual([{ release: '4.18.1', environment: 'staging', at: at.toISOString() }]);
  });

  it('leaves environment and time to the server if they are missing or unusable', async () => {
    const { client, ingestion } = await startClient();
    await client.deploy({ release: '4.18.1' });
    for (const at of ['yesterday', new Date(Number.NaN), '2001-01-01T00:00:00Z', 12])
      await client.deploy({ release: '4.18.1', environment: ' ', at: at as string });
    expect(ingestion.events()).toEqual(Array.from({ length: 5 }, () => ({ release: '4.18.1' })));
  });

  it('cuts texts to the limits of the server', async () => {
    const { client, ingestion } = await startClient();
    await client.deploy({ release: 'r'.repeat(300), environment: 'e\0'.repeat(300) });
    expect(ingestion.events()).toEqual([{ release: 'r'.repeat(128), environment: 'e'.repeat(64) }]);
  });

  it('counts a deploy without a release as refused, without a request', async () => {
    const lines = collectErrorLines();
    const { client, ingestion } = await startClient();
    // A caller without types may pass anything.
    for (const options of [undefined, {}, { release: '' }, { release: ' ' }, { release: null }])
      expect(await client.deploy(options as never)).toBeNull();
    expect(client.stats().lost.refused).toBe(5);
    expect(ingestion.requests).toEqual([]);
    expect(lines.join('\n')).toContain('it has no release');
  });

  it('repeats a deploy like an event, with the time of the call if it waited', async () => {
    const { client, ingestion, time } = await startClient((request) =>
      request.index === 0 ? { status: 503, headers: { 'retry-after': '2' } } : acceptStrictly(request),
    );
    const calledAtMs = time.runtime.wallClockMs();
    expect(await client.deploy({ release: '4.18.1' })).not.toBeNull();
    expect(ingestion.events()).toEqual([
      { release: '4.18.1' },
      { release: '4.18.1', at: new Date(calledAtMs).toISOString() },
    ]);
    const [first, second] = ingestion.requests;
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });

  it('sends a deploy in its own request, apart from events in bulk', async () => {
    const { client, ingestion } = await startClient();
    const calls = Array.from({ length: 100 }, () => client.capture(event()));
    const deploy = client.deploy({ release: '4.18.1' });
    await Promise.all(calls);
    expect(await deploy).toMatchObject({ status: 'queued' });
    expect(ingestion.paths().filter((path) => path === '/ingest/deploys')).toHaveLength(1);
    expect(ingestion.paths()).toContain('/ingest/bulk');
    expect(client.stats()).toMatchObject({ sent: 101, waiting: 0, underWay: 0 });
  });
});
