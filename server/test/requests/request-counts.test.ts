import { beforeEach, expect, it } from 'vitest';
import { RequestCounts } from '../../src/ingestion/requests/request-counts.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import { beginHeldTransaction } from '../support/held-transaction.ts';
import { startTestService, type TestProject, type TestUser } from '../support/service.ts';

const service = await startTestService();
const { pool } = service.database;
const user = await service.signUp();
const ACCEPTED = { protocol: 'events', reason: null } as const;
const REFUSED = { protocol: 'events', reason: 'malformed_json' } as const;
const UNKNOWN = { protocol: 'events', reason: 'invalid_api_key' } as const;
const sample = () => ({
  method: 'POST',
  path: '/ingest/events',
  headers: [],
  namedIds: [],
  status: 400,
  keyPrefix: null,
  detail: 'The body cannot be parsed as JSON.',
  requestId: null,
});

async function endedPool() {
  const ended = service.context.createPool('tocsin-ended', {});
  await ended.end();
  return ended;
}

let nowMs = 0;
const newCounts = () => new RequestCounts(() => nowMs);
let project: TestProject;
let projectId = '';
beforeEach(async () => {
  project = await user.createProject();
  projectId = toUuid('proj', project.id) ?? '';
});
const senderOf = (keyId: string | null = null, isAuthenticated = true) => ({
  projectId,
  keyId,
  isAuthenticated,
});
const requestsOf = async ({ api }: TestUser = user, id = project.id) =>
  (await api.get(`/projects/${id}/requests`)).body;
const sumOf = (keys: { accepted: number; refused: number }[]) =>
  keys.reduce((sum, { accepted, refused }) => sum + accepted + refused, 0);

it('adds the counts of processes that write at once', async () => {
  const processes = Array.from({ length: 4 }, newCounts);
  const keys = Array.from({ length: 20 }, () => newUuid(1));
  for (const process of processes) {
    for (const key of keys) process.note(senderOf(key), ACCEPTED, sample);
    for (let count = 0; count < 30; count++) process.note(senderOf(), REFUSED, sample);
  }
  await Promise.all(processes.map((process) => process.flush(service.context)));
  expect(sumOf((await requestsOf()).keys)).toBe(4 * 20 + 4 * 30);
  // Processes that write at once see no samples of each other: the next write removes what is too many.
  const next = newCounts();
  next.note(senderOf(), REFUSED, sample);
  await next.flush(service.context);
  const { newest } = await requestsOf();
  expect(newest.length).toBeLessThanOrEqual(80);
});

it('writes what could not be written once it can be', async () => {
  const counts = newCounts();
  counts.note(senderOf(), REFUSED, sample);
  const lost = { ...service.context, pool: await endedPool() };
  await expect(counts.flush(lost)).rejects.toThrow();
  counts.note(senderOf(), REFUSED, sample);
  await expect(counts.flush(lost)).rejects.toThrow();
  nowMs += 3 * 60_000;
  await counts.flush(service.context);
  await counts.flush(service.context);
  const { keys, newest } = await requestsOf();
  expect(sumOf(keys)).toBe(2);
  const { rows } = await pool.query<{ age: number }>(
    'SELECT extract(epoch FROM now() - last_at)::float8 AS age FROM request_counts WHERE project_id = $1',
    [projectId],
  );
  for (const { age } of rows) expect(age).toBeGreaterThan(170);
  expect(newest).toHaveLength(2);
});

it('writes the counts of a statement that was cancelled the next time', async () => {
  const counts = newCounts();
  counts.note(senderOf(), REFUSED, sample);
  const impatient = service.context.createPool('tocsin-impatient', { statementTimeoutMs: 50 });
  const deletion = await beginHeldTransaction(pool);
  try {
    await deletion.query('SELECT FROM projects WHERE id = $1 FOR UPDATE', [projectId]);
    await expect(counts.flush({ ...service.context, pool: impatient })).rejects.toThrow();
  } finally {
    await deletion.query('ROLLBACK');
    deletion.release();
    await impatient.end();
  }
  await counts.flush(service.context);
  expect(sumOf((await requestsOf()).keys)).toBe(1);
});

it('leaves out a part that the database refuses, and writes the others', async () => {
  const counts = newCounts();
  // The text cannot be stored.
  counts.note(senderOf(), REFUSED, () => ({ ...sample(), detail: '\u0000' }));
  for (let key = 0; key < 17; key++) {
    const other = { ...senderOf(), projectId: newUuid(key) };
    for (let count = 0; count < 20; count++) counts.note(other, REFUSED, sample);
  }
  counts.note(senderOf(), ACCEPTED, sample);
  await expect(counts.flush(service.context)).rejects.toThrow();
  await counts.flush(service.context);
  const { keys } = await requestsOf();
  expect(keys).toMatchObject([{ accepted: 1, refused: 0 }]);
});

it('keeps the newest samples of each outcome, a hundred in all', async () => {
  const counts = newCounts();
  for (let round = 0; round < 5; round++) {
    for (let count = 0; count < 50; count++) {
      counts.note(senderOf(), REFUSED, sample);
      counts.note(senderOf(null, false), UNKNOWN, sample);
    }
    for (const protocol of ['events', 'sentry', 'otlp', 'pings', 'hooks'] as const)
      counts.note(senderOf(), { protocol, reason: null }, sample);
    await counts.flush(service.context);
    nowMs += 60_000;
  }
  const { newest } = await requestsOf();
  const ofReason = (reason: string | null) =>
    newest.filter((each: { reason: string | null }) => each.reason === reason).length;
  expect([ofReason('malformed_json'), ofReason('invalid_api_key'), ofReason(null)]).toEqual([60, 20, 20]);
  expect(newest).toHaveLength(100);
});

it('takes a sample of accepted requests a minute, and writes none in between', async () => {
  const counts = newCounts();
  for (let second = 0; second < 120; second += 10) {
    counts.note(senderOf(), ACCEPTED, sample);
    await counts.flush(service.context);
    nowMs += 10_000;
  }
  const { keys, newest } = await requestsOf();
  expect([sumOf(keys), newest.length]).toEqual([12, 2]);
});

it('counts the keys of a project together that are beyond the bound', async () => {
  const counts = newCounts();
  for (let key = 0; key < 500; key++) counts.note(senderOf(newUuid(key)), ACCEPTED, sample);
  await counts.flush(service.context);
  const { keys } = await requestsOf();
  expect(sumOf(keys)).toBe(500);
  expect(keys.length).toBeLessThanOrEqual(65);
});

it('bounds the senders that name a project without a valid key', async () => {
  const counts = newCounts();
  const { number } = (await user.api.get(`/projects/${project.id}`)).body;
  for (let prefix = 0; prefix < 3_000; prefix++)
    counts.note(
      { hash: null, prefix: `tsn_live_${String(prefix).padStart(5, '0')}`, number },
      UNKNOWN,
      sample,
    );
  counts.note(senderOf(), ACCEPTED, sample);
  await counts.flush(service.context);
  const { keys, newest } = await requestsOf();
  expect(keys).toMatchObject([{ accepted: 1, refused: 1_000 }]);
  expect(newest.length).toBeLessThanOrEqual(21);
});

it('shows a request whose key begins as those of two projects to neither', async () => {
  const prefix = 'tsn_live_Twice';
  const [first, second] = [await user.createProject(), await user.createProject()];
  for (const { id } of [first, second])
    await pool.query('UPDATE api_keys SET prefix = $2 WHERE project_id = $1', [toUuid('proj', id), prefix]);
  const counts = newCounts();
  counts.note({ hash: null, prefix, number: null }, UNKNOWN, sample);
  await counts.flush(service.context);
  for (const { id } of [first, second]) expect((await requestsOf(user, id)).keys).toEqual([]);
});

it('writes nothing of a project that was deleted meanwhile', async () => {
  const counts = newCounts();
  counts.note(senderOf(), REFUSED, sample);
  await user.api.delete(`/projects/${project.id}`);
  await counts.flush(service.context);
  for (const table of ['request_counts', 'request_samples']) {
    const { rowCount } = await pool.query(`SELECT FROM ${table} WHERE project_id = $1`, [projectId]);
    expect(rowCount).toBe(0);
  }
});

it('removes requests after 24 hours, and those of a clock that was ahead', async () => {
  const counts = newCounts();
  for (const outcome of [ACCEPTED, REFUSED, UNKNOWN]) counts.note(senderOf(), outcome, sample);
  await counts.flush(service.context);
  const move = (reason: string | null, by: string) =>
    Promise.all([
      pool.query(
        `UPDATE request_counts SET minute = minute + $3::interval WHERE project_id = $1 AND reason IS NOT DISTINCT FROM $2`,
        [projectId, reason, by],
      ),
      pool.query(
        `UPDATE request_samples SET at = at + $3::interval WHERE project_id = $1 AND reason IS NOT DISTINCT FROM $2`,
        [projectId, reason, by],
      ),
    ]);
  await move(REFUSED.reason, '-25 hours');
  await move(UNKNOWN.reason, '2 days');
  const { keys, newest } = await requestsOf();
  expect([sumOf(keys), newest.length]).toEqual([1, 1]);
  await service.maintain();
  for (const table of ['request_counts', 'request_samples']) {
    const { rows } = await pool.query(`SELECT reason FROM ${table} WHERE project_id = $1`, [projectId]);
    expect(rows).toEqual([{ reason: null }]);
  }
});
