import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { type ApiDocument, type Operation, operationsOf, requestOf } from '../support/openapi-requests.ts';
import { assertProblemShape } from '../support/problems.ts';
import { startTestService, type TestUser } from '../support/service.ts';
import { rounds } from '../support/test-length.ts';
import { drawSeed } from '../support/test-seed.ts';

const NUM_RUNS = rounds(8, 40);
/** Operations that hash a password, which takes tens of milliseconds by design. */
const EXPENSIVE = new Map([
  ['/auth/signup', rounds(6, 15)],
  ['/auth/login', rounds(6, 15)],
  ['/auth/password', rounds(6, 15)],
]);
/**
 * Operations that may refuse a body with 400 although it matches the schema: a wrong password, a repeated rule, an unknown
 * assignee, a timetable that never comes, the configuration of a target by its kind, a time that has passed,
 * limits of a key for browsers in another one, a secret that no sender has. A version in an address must not hold NUL.
 */
const CHECKED_BEYOND_SCHEMA = [
  '/projects/{id}',
  '/projects/{projectId}/api-keys',
  '/projects/{id}/hooks',
  '/projects/{id}/hooks/{hookId}',
  '/projects/{id}/schedules',
  '/projects/{id}/schedules/{scheduleId}',
  '/notification-targets',
  '/notification-targets/{id}',
  '/notification-routes/preview',
  '/silences',
  '/web-push/browsers',
  '/auth/password',
  '/auth/email',
  '/auth/totp/enrol',
  '/auth/totp/recovery-codes',
  '/auth/totp/disable',
  '/projects/{id}/silences',
  '/projects/{id}/risk',
  '/projects/{id}/risk/rule-preview',
  '/projects/{id}/deploys',
  '/groups',
  '/groups/{id}',
  '/api/0/organizations/{organization}/artifactbundle/assemble/',
];

describe('the management API, whatever it is sent', async () => {
  const service = await startTestService();
  const { body: document } = await new ApiClient(service.managementUrl).get('/openapi.json');
  const ajv = new Ajv({ strict: false, validateFormats: false });

  /** Signs up a user with one of everything, so that requests pass the first check. */
  const prepare = async (): Promise<{ user: TestUser; ids: string[] }> => {
    const user = await service.signUp();
    const { id: projectId, ingest } = await user.createProject();
    const event = { type: 'hello', severity: 'INFO', message: 'Hello' };
    const { jobId } = (await ingest.post('/ingest/events', event)).body;
    const incidentId = await user.openIncident(projectId);
    const [key] = (await user.api.get(`/projects/${projectId}/api-keys`)).body;
    const ids = [user.organizationId, user.id, projectId, key.id, incidentId, jobId.replace('job_', 'evt_')];
    return { user, ids };
  };

  const operations: [string, string, Operation, { user: TestUser; ids: string[] }][] = [];
  // Reads change nothing for the next test.
  const reader = await prepare();
  for (const operation of operationsOf(document as ApiDocument)) {
    const user = operation.method === 'GET' ? reader : await prepare();
    operations.push([operation.method, operation.path, operation, user]);
  }
  await service.settled();

  it('documents every operation of the management API', () => {
    expect(operations.length).toBeGreaterThanOrEqual(28);
  });

  it.each(operations)(
    'answers %s %s in the documented form, without an internal error',
    async (method, path, operation, { user, ids }) => {
      await fc.assert(
        fc.asyncProperty(requestOf(operation, ids), async (request) => {
          const answer = await user.api.request(method, request.path, {
            ...(request.body !== undefined && {
              body: JSON.stringify(request.body),
              headers: { 'content-type': 'application/json' },
            }),
          });
          const { status, body } = answer;
          expect(status).toBeLessThan(500);
          if (status >= 400) {
            assertProblemShape(answer);
            const queried = operation.parameters.some((parameter) => parameter.in === 'query');
            const checked = queried || CHECKED_BEYOND_SCHEMA.includes(path) || path.includes('{version}');
            if (request.valid && !checked)
              expect({ status, detail: body.detail }).not.toMatchObject({ status: 400 });
            return;
          }
          if (status === 204) {
            expect(body).toBe('');
            return;
          }
          const [mediaType = ''] = (answer.headers.get('content-type') ?? '').split(';');
          const schema = operation.answers[status]?.[mediaType]?.schema;
          expect(schema, `a schema for ${status} as ${mediaType}`).toBeDefined();
          expect(ajv.validate(schema ?? false, body), ajv.errorsText()).toBe(true);
        }),
        { numRuns: EXPENSIVE.get(path) ?? NUM_RUNS, seed: drawSeed() },
      );
    },
  );
});
