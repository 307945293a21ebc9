import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { request, watchSessionEnd } from './api.ts';

const NO_SESSION = { status: 401, body: { code: 'unauthenticated', detail: 'Log in first.' } };

interface PendingRequest {
  method: string | undefined;
  path: string;
  answer: (answer: { status: number; body: unknown }) => void;
}

/** Requests that wait for an answer, oldest first. */
let asked: PendingRequest[];
const onSessionEnd = vi.fn();

beforeEach(() => {
  asked = [];
  onSessionEnd.mockReset();
  watchSessionEnd(onSessionEnd);
  vi.stubGlobal('fetch', (path: string, { method }: RequestInit) => {
    return new Promise<Response>((resolve) => {
      asked.push({ method, path, answer: ({ status, body }) => resolve(Response.json(body, { status })) });
    });
  });
});

afterEach(() => vi.unstubAllGlobals());

async function next(): Promise<PendingRequest> {
  await vi.waitUntil(() => asked.length > 0);
  return asked.shift() as PendingRequest;
}

describe('a read that is answered that there is no session', () => {
  it('repeats a read without a session after a pending change, which may renew the session', async () => {
    const change = request('POST', '/auth/password', { body: {} });
    const changing = await next();
    const read = request('GET', '/auth/me');
    (await next()).answer(NO_SESSION);
    // All steps of a settled promise have run by the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual([]);
    changing.answer({ status: 200, body: {} });
    await change;
    const again = await next();
    expect([again.method, again.path]).toEqual(['GET', '/auth/me']);
    again.answer({ status: 200, body: { user: 'Ada' } });
    expect(await read).toEqual({ user: 'Ada' });
    expect(onSessionEnd).not.toHaveBeenCalled();
  });

  it('ends the session if the repeated read is refused, too', async () => {
    const read = request('GET', '/auth/me');
    (await next()).answer(NO_SESSION);
    (await next()).answer(NO_SESSION);
    await expect(read).rejects.toMatchObject({ status: 401 });
    expect(onSessionEnd).toHaveBeenCalledOnce();
  });
});
