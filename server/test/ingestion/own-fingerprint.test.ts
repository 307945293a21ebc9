import { describe, expect, it } from 'vitest';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { anEvent, storedEvent } from './support.ts';

const BODIES = {
  '/ingest/events': anEvent({ severity: 'ERROR' }),
  '/ingest/server-error': { status_code: 500, path: '/', method: 'GET', error_message: 'Boom' },
  '/ingest/webhook': { source: 'github', event: 'push', payload: {} },
  '/ingest/payments': { type: 'charge.failed', data: {} },
};

describe('a fingerprint of the sender', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const { ingest } = await user.createProject();
  const send = async (path: string, body: object) => {
    const answer = await ingest.post(path, body);
    return (await storedEvent(user, answer)).fingerprint as string;
  };
  const bulk = async (...events: object[]) => (await ingest.post('/ingest/bulk', events)).body;

  it('groups events by the sender’s fingerprint alone, at every endpoint', async () => {
    const found = new Set<string>();
    for (const [path, body] of Object.entries(BODIES))
      found.add(await send(path, { ...body, fingerprint: ['checkout', 'eu'] }));
    const [line] = await bulk(anEvent({ fingerprint: ['checkout', 'eu'], message: 'Another one' }));
    found.add(
      (await storedEvent(user, { ...(await ingest.get('/livez')), status: 202, body: line })).fingerprint,
    );
    expect([...found]).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/)]);
    expect(found).not.toContain(await send('/ingest/events', anEvent()));
  });

  it.each([
    ['a text', 'mine', '/fingerprint'],
    ['an object', { a: 1 }, '/fingerprint'],
    ['null', null, '/fingerprint'],
    ['an empty list', [], '/fingerprint'],
    ['more than 32 parts', Array.from({ length: 33 }, () => 'a'), '/fingerprint'],
    ['a part that is a number', ['a', 1], '/fingerprint/1'],
    ['an empty part', ['a', ''], '/fingerprint/1'],
    ['a part of 257 characters', ['x'.repeat(257)], '/fingerprint/0'],
  ])('refuses %s as the fingerprint, and names the place', async (_what, fingerprint, pointer) => {
    for (const [path, body] of Object.entries(BODIES)) {
      const answer = await ingest.post(path, { ...body, fingerprint });
      expectProblem(answer, 'validation_failed');
      expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer }));
    }
    const [bad, good] = await bulk(anEvent({ fingerprint }), anEvent());
    expect(bad.error.errors).toContainEqual(expect.objectContaining({ pointer }));
    expect(good.status).toBe('queued');
  });

  it('accepts a fingerprint of 32 parts of 256 characters', async () => {
    const fingerprint = Array.from({ length: 32 }, () => '🔥'.repeat(256));
    expect(await send('/ingest/events', anEvent({ fingerprint }))).toMatch(/^[0-9a-f]{16}$/);
  });
});
