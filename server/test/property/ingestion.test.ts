import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anEvent } from '../ingestion/support.ts';
import { type Answer, ApiClient, readAll } from '../support/client.ts';
import { NAUGHTY_STRINGS } from '../support/naughty-strings.ts';
import { type ApiDocument, operationsOf, requestOf } from '../support/openapi-requests.ts';
import { assertProblemShape, expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';
import { drawSeed } from '../support/test-seed.ts';

type Body = Record<string, unknown>;

const RUNS = rounds(30, 120);
/** Number of parts of the strings: in the short form every field takes one, and the fields together all of them. */
const PARTS = rounds(10, 1);
const AT_ONCE = 16;
const POSTS = ['/ingest/events', '/ingest/server-error', '/ingest/webhook', '/ingest/payments'];
/** Texts that are never empty, unlike those of the generator. */
const text = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((value) => !value.includes('\0'));
/** An integer that could be the number of a card, which is not stored as it was sent. */
const CARD_LIKE = /(?<![\d.])\d{12,19}(?![\d.e])/;
const payload = fc
  .dictionary(text, fc.jsonValue({ stringUnit: 'grapheme-composite' }), { noNullPrototype: true })
  .filter((value) => !CARD_LIKE.test(JSON.stringify(value)));
const correlation = fc.dictionary(
  text,
  fc.oneof(text, fc.boolean(), fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true })),
  { maxKeys: 32, noNullPrototype: true },
);

/** Returns the fields of a stored event that must be as sent. */
function expected(path: string, body: Body): Body {
  const common = { correlation: body.correlation ?? {}, release: null };
  if (path === '/ingest/events') {
    const { type, severity, message, source = null, payload: sent = {}, release = null } = body;
    return {
      ...common,
      type,
      severity: String(severity).toLowerCase(),
      message,
      source,
      payload: sent,
      release,
    };
  }
  if (path === '/ingest/server-error') {
    const { status_code, path: route, method, error_message: message, stack = null, release = null } = body;
    const frames = expect.any(Array);
    const severity = Number(status_code) >= 500 ? 'error' : 'warn';
    return {
      ...common,
      message,
      severity,
      payload: { status_code, path: route, method, stack, frames },
      release,
    };
  }
  if (path === '/ingest/webhook') {
    const { source, event: message, payload: sent, severity = 'INFO' } = body;
    return { ...common, source, message, payload: sent, severity: String(severity).toLowerCase() };
  }
  const { type, id = null, data } = body;
  return { ...common, message: type, source: 'payments', payload: { type, id, data } };
}

describe('the ingestion API, whatever it is sent', async () => {
  const service = await startTestService();
  const capturedAt = fc
    .integer({ min: -6 * 86_400_000, max: 240_000 })
    .map((offset) => new Date(service.context.clock.now() + offset).toISOString());
  const user = await service.signUp();
  const { body: document } = await new ApiClient(service.ingestionUrl).get('/openapi.json');
  const operations = operationsOf(document as ApiDocument);
  /** Expects the events of a project to be as they were sent, in the list of events and the first one by itself as well. */
  const expectStored = async (projectId: string, sent: [string, Body, Answer][]) => {
    await service.settled();
    const events = await readAll(user.api, `/events?project_id=${projectId}&limit=200`);
    const byId = new Map(events.map((event) => [event.id, event]));
    for (const [index, [path, body, answer]] of sent.entries()) {
      const id = answer.body.jobId.replace('job_', 'evt_');
      const stored = expected(path, JSON.parse(JSON.stringify(body)) as Body);
      expect(byId.get(id)).toMatchObject(stored);
      if (index === 0) expect((await user.api.get(`/events/${id}`)).body).toMatchObject(stored);
    }
  };

  it('describes each of its endpoints', () => {
    const paths = operations.map(({ method, path }) => `${method} ${path}`);
    for (const path of [...POSTS, '/ingest/bulk']) expect(paths).toContain(`POST ${path}`);
    expect(paths).toContain('GET /ingest/jobs/{jobId}');
  });

  it.each(POSTS)(
    'accepts requests at %s that match the schema, stores them unchanged, and refuses others',
    async (path) => {
      const operation = operations.find((one) => one.path === path);
      if (!operation) throw new Error(`${path} is not described.`);
      const { id: projectId, ingest } = await user.createProject();
      const sent: [string, Body, Answer][] = [];
      const ids = new Set<string>();
      const extras = fc.record({ payload, correlation, data: payload, capturedAt }, { requiredKeys: [] });
      await fc.assert(
        fc.asyncProperty(requestOf(operation, ['-']), extras, async ({ valid, body }, extra) => {
          const own = Object.entries(extra).filter(([name]) => name in (operation.body?.properties ?? {}));
          const request = valid
            ? { ...(body as Body), capturedAt: undefined, ...Object.fromEntries(own) }
            : body;
          const answer = await ingest.post(path, JSON.stringify(request), {
            headers: { 'content-type': 'application/json' },
          });
          expect(answer.status).toBeLessThan(500);
          if (answer.status >= 400) assertProblemShape(answer);
          // A repeat of a payment's id has the first one's event.
          const { id } = (request ?? {}) as Body;
          const repeated = typeof id === 'string' && ids.has(id);
          if (answer.status === 202 && typeof id === 'string') ids.add(id);
          if (!valid) return;
          expect({ status: answer.status, detail: answer.body.detail }).toEqual({ status: 202 });
          if (!repeated) sent.push([path, request as Body, answer]);
        }),
        { numRuns: RUNS, seed: drawSeed() },
      );
      expect(sent.length).toBeGreaterThan(5);
      await expectStored(projectId, sent);
    },
  );

  it('answers any JSON and any text at any endpoint without an internal error', async () => {
    const content = fc.oneof(
      fc.json(),
      fc.string({ unit: 'grapheme' }),
      fc.json().map((json) => json.slice(1)),
    );
    const type = fc.constantFrom('application/json', 'application/x-ndjson', 'text/plain');
    const path = fc.constantFrom(...POSTS, '/ingest/bulk');
    const { ingest } = await user.createProject();
    await fc.assert(
      fc.asyncProperty(path, content, type, async (address, body, contentType) => {
        const answer = await ingest.post(address, body, { headers: { 'content-type': contentType } });
        if (answer.status >= 400) assertProblemShape(answer);
        expect([202, 400, 415]).toContain(answer.status);
        expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\.ts:\d|SELECT |INSERT /);
      }),
      { numRuns: rounds(80, 300), seed: drawSeed() },
    );
  });

  const places: [path: string, field: string, make: (value: string) => Body][] = [
    ['/ingest/events', 'type', (value) => anEvent({ type: value })],
    ['/ingest/events', 'message', (value) => anEvent({ message: value })],
    ['/ingest/events', 'source', (value) => anEvent({ source: value })],
    ['/ingest/events', 'release', (value) => anEvent({ release: value })],
    ['/ingest/events', 'correlation', (value) => anEvent({ correlation: { [value]: value } })],
    ['/ingest/events', 'payload', (value) => anEvent({ payload: { [value]: [value, { [value]: value }] } })],
    [
      '/ingest/server-error',
      'all fields',
      (value) => ({ status_code: 500, path: value, method: value, error_message: value, stack: value }),
    ],
    [
      '/ingest/webhook',
      'all fields',
      (value) => ({ source: value, event: value, payload: { [value]: value } }),
    ],
    ['/ingest/payments', 'type and data', (value) => ({ type: value, data: { [value]: value } })],
    ['/ingest/payments', 'id', (value) => ({ type: 't', data: {}, id: value })],
  ];

  it.each(places.map((place, index) => [...place, index] as const))(
    'returns every naughty string at %s in %s byte for byte, or refuses it',
    async (path, _what, make, place) => {
      // Its own project: elsewhere a payment's id may have been used.
      const { id, ingest } = await user.createProject();
      const rest = [...new Set(NAUGHTY_STRINGS)].filter((_text, index) => index % PARTS === place % PARTS);
      const some = rest.length;
      const sent: [string, Body, Answer][] = [];
      const work = async () => {
        for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
          const body = make(value);
          const answer = await ingest.post(path, body);
          if (answer.status === 202) sent.push([path, body, answer]);
          else expectProblem(answer, 'validation_failed');
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      expect(sent.length).toBeGreaterThan(0.75 * some);
      await expectStored(id, sent);
    },
  );
});
