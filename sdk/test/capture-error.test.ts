import { describe, expect, it } from 'vitest';
import { event, startClient } from './support/client.ts';

async function reportOf(error: unknown, context?: unknown): Promise<Record<string, unknown>> {
  const { client, ingestion } = await startClient();
  expect(await client.captureError(error, context)).toMatchObject({ status: 'queued' });
  expect(ingestion.paths()).toEqual(['/ingest/server-error']);
  return ingestion.events()[0] ?? {};
}

describe('captureError', () => {
  it('sends the message, the stack and the request in which it happened', async () => {
    const error = new TypeError('x is undefined');
    const context = { status_code: 502, path: '/orders/1', method: 'POST', correlation: { user_id: 'u1' } };
    expect(await reportOf(error, context)).toEqual({
      ...context,
      error_message: 'x is undefined',
      stack: error.stack,
    });
  });

  it.each([undefined, null, 'uncaughtException', {}])(
    'sends a server error of status 500 with empty path and method for the context %j',
    async (context) => {
      expect(await reportOf(new Error('boom'), context)).toMatchObject({
        status_code: 500,
        path: '',
        method: '',
      });
    },
  );

  it.each([99, 600, 404.5, Number.NaN, 'abc', null, {}])(
    'sends 500 for the status_code %j',
    async (status_code) => {
      expect(await reportOf(new Error('boom'), { status_code })).toMatchObject({ status_code: 500 });
    },
  );

  it.each([
    ['a thrown string', 'Error: a thrown string'],
    [undefined, 'Error: undefined'],
    [42, 'Error: 42'],
    [{ code: 5 }, 'Error: {"code":5}'],
    [{ name: 'Fault', message: 'from afar' }, 'Fault: from afar'],
  ])('makes a stack of one line for %j', async (thrown, stack) => {
    expect(await reportOf(thrown)).toMatchObject({ error_message: stack.replace(/^\w+: /, ''), stack });
  });

  it('names the class of an error whose constructor set the name after the stack was taken', async () => {
    class PaymentError extends Error {
      override name = 'PaymentError';
    }
    const { stack } = await reportOf(new PaymentError('declined\nby the bank'));
    expect(stack).toMatch(/^PaymentError: declined\nby the bank\n {4}at /);
  });

  it('puts name and message before a stack that has neither, as some engines make it', async () => {
    const error = Object.assign(new RangeError('too far'), { stack: 'walk@file.js:1:2\nrun@file.js:3:4' });
    expect(await reportOf(error)).toMatchObject({
      stack: 'RangeError: too far\nwalk@file.js:1:2\nrun@file.js:3:4',
    });
  });

  it('appends the causes of an error to its stack', async () => {
    const error = new Error('outer', { cause: new TypeError('inner', { cause: 'the root' }) });
    const { stack } = await reportOf(error);
    expect(stack).toMatch(
      /^Error: outer\n {4}at [^]*\nCaused by: TypeError: inner\n {4}at [^]*\nCaused by: Error: the root$/,
    );
  });

  it('ends cyclic and endless chains of causes', async () => {
    const cyclic = new Error('again');
    cyclic.cause = cyclic;
    expect(String((await reportOf(cyclic))['stack'])).not.toContain('Caused by');

    const endless = (): object => ({
      message: 'deeper',
      get cause() {
        return endless();
      },
    });
    expect(String((await reportOf(endless()))['stack']).split('Caused by')).toHaveLength(9);
  });

  it('sends the first error of an AggregateError without a message', async () => {
    const report = await reportOf(new AggregateError([new Error('connect ECONNREFUSED')]));
    expect(report['error_message']).toBe('AggregateError');
    expect(report['stack']).toContain('Caused by: Error: connect ECONNREFUSED');
  });

  it('keeps the frames of an error with a huge message', async () => {
    const report = await reportOf(new Error('x'.repeat(5_000_000)));
    expect(report['error_message']).toHaveLength(32_768);
    expect(report['stack']).toMatch(/x\n {4}at /);
  });

  it('never sends an error in bulk', async () => {
    const { client, ingestion } = await startClient();
    for (let index = 0; index < 50; index++) {
      void client.captureError(new Error(`no ${index}`), undefined);
      void client.capture(event());
    }
    await client.flush();
    expect(client.stats().sent).toBe(100);
    const counts = ingestion.paths().filter((path) => path === '/ingest/server-error');
    expect(counts).toHaveLength(50);
    expect(ingestion.paths()).toContain('/ingest/bulk');
    expect(ingestion.mostAtOnce()).toBeLessThanOrEqual(16);
  });
});
