import { describe, expect, it } from 'vitest';
import { sendRaw } from './support/raw-http.ts';
import { startTestService } from './support/service.ts';

const LONG_ID = 'x'.repeat(300);

/**
 * Requests without a session or a key, with the status and `Allow` of the answer. A wrong address is 404 before
 * anything else is looked at, a wrong method 405 before 401 (docs/errors.md).
 */
const MANAGEMENT: [string, number, string?][] = [
  ['GET /nothing', 404],
  ['DELETE /nothing', 404],
  ['OPTIONS /nothing', 404],
  ['GET /', 302],
  ['DELETE /', 405, 'GET, HEAD'],
  ['GET /projects', 401],
  ['HEAD /projects', 401],
  ['POST /projects', 401],
  ['PUT /projects', 405, 'GET, HEAD, POST'],
  ['OPTIONS /projects', 405, 'GET, HEAD, POST'],
  ['PUT /projects?a=/x', 405, 'GET, HEAD, POST'],
  ['PUT /projects/', 404],
  ['PUT /PROJECTS', 404],
  ['PUT /projects/proj_1', 405, 'DELETE, GET, HEAD, PATCH'],
  ['POST /projects/proj_1', 405, 'DELETE, GET, HEAD, PATCH'],
  ['PUT /projects/proj_1/nothing', 404],
  ['PUT /organizations/me', 405, 'GET, HEAD, PATCH'],
  ['GET /organizations/me/leave', 405, 'POST'],
  ['HEAD /organizations/me/leave', 405, 'POST'],
  ['GET /auth/login', 405, 'POST'],
  ['POST /events/histogram', 405, 'GET, HEAD'],
  ['POST /events', 405, 'GET, HEAD'],
  ['DELETE /incidents', 405, 'GET, HEAD, POST'],
  ['POST /app/anything/below', 405, 'GET, HEAD'],
  ['POST /app/', 405, 'GET, HEAD'],
  ['POST /ws', 405, 'GET, HEAD'],
  ['POST /readyz', 405, 'GET, HEAD'],
  ['TRACE /projects', 405, 'GET, HEAD, POST'],
  // The address is parsed in one way, for allowed and other methods alike.
  ['GET /%70rojects', 401],
  ['PUT /%70rojects', 405, 'GET, HEAD, POST'],
  ['GET /projects/a%2Fb', 401],
  ['PUT /projects/a%2Fb', 405, 'DELETE, GET, HEAD, PATCH'],
  ['GET /projects/%zz', 400],
  ['TRACE /projects/%zz', 400],
  [`GET /projects/${LONG_ID}`, 404],
  [`OPTIONS /projects/${LONG_ID}`, 405, 'DELETE, GET, HEAD, PATCH'],
  [`OPTIONS /projects/${LONG_ID}/nothing`, 404],
  ['PUT http://localhost/projects', 405, 'GET, HEAD, POST'],
];

const INGESTION: [string, number, string?][] = [
  ['POST /ingest/nothing', 404],
  ['POST /ingest/events', 401],
  ['GET /ingest/events', 405, 'POST'],
  ['HEAD /ingest/events', 405, 'POST'],
  ['OPTIONS /ingest/events', 405, 'POST'],
  ['PUT /ingest/events?a=1', 405, 'POST'],
  ['PUT /ingest/bulk', 405, 'POST'],
  ['PUT /ingest/events/', 404],
  ['GET /ingest/jobs/job_1', 401],
  ['POST /ingest/jobs/job_1', 405, 'GET, HEAD'],
  ['POST /ingest/jobs/job_1/more', 404],
  ['POST /metrics', 405, 'GET, HEAD'],
];

describe('a request without session and key', async () => {
  const service = await startTestService();

  const rows: [string, string, string, number, string?][] = [
    ...MANAGEMENT.map((row): (typeof rows)[0] => ['management', service.managementUrl, ...row]),
    ...INGESTION.map((row): (typeof rows)[0] => ['ingestion', service.ingestionUrl, ...row]),
  ];

  it.each(rows)(
    'answers %s (%s) in the order of errors.md: %s gives %i %s',
    async (_api, url, ...[request, status, allow]) => {
      const lines = [`${request} HTTP/1.1`, 'Host: localhost', 'Content-Length: 0', 'Connection: close'];
      const answer = await sendRaw(url, lines);
      expect([answer.status, /^allow: (.*)$/im.exec(answer.head)?.[1]?.trim()]).toEqual([status, allow]);
    },
  );
});
