import { expect } from 'vitest';
import { insertAdoptedBlock, insertArchiveState } from '../../src/events/archive/block-queries.ts';
import { insertDeletion } from '../../src/events/archive/deletion-queries.ts';
import { ensurePartitions } from '../../src/events/partitions.ts';
import { endOfWeek, weekOf } from '../../src/events/weeks.ts';
import { newUuid, toUuid } from '../../src/platform/ids.ts';
import { insertLateSources } from '../../src/risk/incidents/late-source-queries.ts';
import { upsertExclusion } from '../../src/risk/live/exclusion-queries.ts';
import { anAlert, notify } from '../alerts/support.ts';
import { envelopeOf } from '../ingestion/envelopes/support.ts';
import { beginProject } from '../risk/project-life.ts';
import { bundleOf, uploadBundle } from '../source-maps/bundle.ts';
import { TestClock } from '../support/clock.ts';
import type { TestDatabase } from '../support/database.ts';
import { startTestService, type TestService, type TestUser } from '../support/service.ts';
import { totpCode } from '../support/totp-code.ts';
import { waitFor } from '../support/wait.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * 60 * 60_000;

/** Texts that COPY has to escape, or that a parser might misread. */
export const ODD_TEXTS = [
  '',
  '\\N',
  '\\.',
  '\\',
  'a\tb\nc\rd\be\ff\vg',
  '\\t\\n\\x41\\101',
  'NULL',
  '"quoted" \'too\' ,;$1',
  'Grüße, 世界, 👩‍🚀, é, e\u0301, \u202Eright to left',
  `\u0001\u007F\u0085\uFEFF${'x'.repeat(30_000)}`,
];

const DEBUG_ID = '4f8a2b1c-0000-4000-8000-000000000001';

export interface Credentials {
  email: string;
  password: string;
  apiKey: string;
}

/** Sends what only the protocols of others store: a hook, an alert group, a source map, an item that is only counted. */
async function sendByOtherProtocols(
  service: TestService,
  user: TestUser,
  project: Awaited<ReturnType<typeof beginProject>>,
): Promise<void> {
  const startsAtMs = service.context.clock.now();
  await notify(project, '{}:{alertname="Disk \\N"}', [anAlert({ name: 'Disk \\N', startsAtMs })]);
  const { number } = (await user.api.get(`/projects/${project.id}`)).body;
  const sentry = `/api/${number}/envelope/?sentry_key=${project.apiKey}`;
  const envelope = envelopeOf({}, [{ type: 'session' }, {}]);
  expect((await project.ingest.post(sentry, envelope)).status).toBe(200);
  const hook = { kind: 'standard', name: 'Hook \\N' };
  expect((await user.api.post(`/projects/${project.id}/hooks`, hook)).status).toBe(201);
  const { body: former } = await user.api.post(`/projects/${project.id}/api-keys`, { name: 'Former \\N' });
  expect((await user.api.delete(`/api-keys/${former.id}`)).status).toBe(204);
  const map = { version: 3, sources: ['pay \\N.ts'], names: [], mappings: 'AAAA' };
  const bundle = bundleOf({ [DEBUG_ID]: map });
  const uploaded = await uploadBundle(user.api, user.organizationId, bundle, [project.id]);
  expect(uploaded.body.state).toBe('ok');
  const built = {
    frames: [{ function: 'pay \\N', file: 'app.js', line: 1, column: 1, inApplication: true }],
    debug_meta: { images: [{ type: 'sourcemap', code_file: 'app.js', debug_id: DEBUG_ID }] },
  };
  const staged = {
    type: 'a',
    severity: 'INFO',
    message: 'Staged',
    environment: 'Canary \\N',
    payload: built,
  };
  expect((await project.ingest.post('/ingest/events', staged)).status).toBe(202);
}

interface FillOptions {
  /** Clock of the services; by default that of the system. */
  clock?: TestClock;
  /** Past of the project, which comes first; by default none. */
  live?: (project: Awaited<ReturnType<typeof beginProject>>) => Promise<unknown>;
}

/** Uses the service in every way that stores rows, over three months, and stops it with events in its queue. */
export async function fillDatabase(
  database: TestDatabase,
  { clock = new TestClock(), live }: FillOptions = {},
): Promise<Credentials> {
  const service = await startTestService({ database, clock });
  const user = await service.signUp('Grace Hopper \\N');
  const project = await beginProject(service, clock, user);
  const { id, apiKey, ingest } = project;
  await live?.(project);
  const { rules } = (await user.api.get(`/projects/${id}/risk`)).body;
  const anything = { type: null, severity: null, source: null, events: 1_000_000, minutes: 1 };
  const ofField = {
    ...anything,
    name: 'Rule \\N',
    field: { path: ['text'], operator: 'exists', value: null },
  };
  const settings = { budget: 0.5, rules: [...rules, ofField] };
  expect((await user.api.put(`/projects/${id}/risk`, settings)).status).toBe(200);
  for (const text of ODD_TEXTS) {
    const body = {
      type: text.slice(0, 100) || 'empty',
      severity: 'ERROR',
      message: text,
      source: text.slice(0, 200),
      correlation: { [text.slice(0, 200)]: text.slice(0, 200), user_id: text.slice(0, 200) },
      ...(text && { release: text.slice(0, 100) }),
      payload: { text, list: [null, 1e-7, text] },
    };
    expect((await ingest.post('/ingest/events', body)).status).toBe(202);
  }
  const { number } = (await user.api.get(`/projects/${id}`)).body;
  const session = '{}\n{"type":"session"}\n{}';
  expect((await ingest.post(`/api/${number}/envelope/?sentry_key=${apiKey}`, session)).status).toBe(200);
  expect((await user.api.patch(`/projects/${id}/quotas`, { perDay: 1_000_000 })).status).toBe(200);
  const withKey = { headers: { 'idempotency-key': 'once' } };
  await ingest.post('/ingest/events', { type: 'a', severity: 'INFO', message: 'No source' }, withKey);
  // The default rule: a critical event opens an incident, which is a decision.
  await ingest.post('/ingest/events', { type: 'disk', severity: 'CRITICAL', message: 'Full' });
  await waitFor('the decision of detection', async () => {
    const { rowCount } = await database.pool.query('SELECT FROM risk_decisions LIMIT 1');
    return rowCount === 1;
  });
  await sendByOtherProtocols(service, user, project);
  const guest = await service.signUp('Guest \\N');
  const added = { userId: guest.id };
  expect((await user.api.post(`/organizations/${user.organizationId}/members`, added)).status).toBe(201);
  expect((await user.api.post(`/organizations/${user.organizationId}/invitations`, {})).status).toBe(201);
  const pager = {
    kind: 'webhook',
    name: 'Pager \\N',
    config: { url: 'https://pager.invalid/hook' },
    quietHours: { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' },
  };
  const { body: notified } = await user.api.post('/notification-targets', pager);
  const route = { targetId: notified.id, maxPerWeek: 2 };
  expect((await user.api.post('/notification-routes', route)).status).toBe(201);
  await user.api.post('/notification-targets', { kind: 'webpush', name: 'Team', config: {} });
  await user.api.post('/notification-targets', {
    kind: 'email',
    name: 'Mail',
    config: { to: 'team@example.com' },
  });
  const incident = await user.api.post('/incidents', {
    title: 'Slow checkout',
    severity: 'error',
    projectId: id,
  });
  expect(incident.status).toBe(201);
  await user.api.post(`/incidents/${incident.body.id}/notes`, { note: 'Looking\\into it' });
  const scopes = ['read', 'write'];
  expect((await user.api.post('/tokens', { name: 'CI \\N', scopes })).status).toBe(201);
  const withFactor = await service.signUp('Careful \\N');
  const { password } = withFactor;
  const { body: factor } = await withFactor.api.post('/auth/totp/enrol', { password });
  const code = totpCode(factor.secret, service.context.clock.now());
  expect((await withFactor.api.post('/auth/totp/activate', { code })).status).toBe(200);
  await service.settled();
  const [group] = (await user.api.get('/groups')).body;
  expect((await user.api.patch(`/groups/${group.id}`, { state: 'resolved' })).status).toBe(200);
  await database.pool.query(`INSERT INTO group_hours SELECT group_id, project_id, minute, info, warn, error, critical
    FROM group_minutes`);
  // The API refuses control characters; a database that others write to may hold them.
  await database.pool.query(`UPDATE users SET name = E'Grace\\tHopper \\\\N' WHERE name LIKE 'Grace%'`);
  await database.pool.query(`UPDATE incidents SET title = E'Slow\\ncheckout' WHERE origin = 'manual'`);
  const nowMs = service.context.clock.now();
  const now = timeLiteral(nowMs);
  await addOldEvents(database, nowMs);
  await addArchive(database, nowMs);
  await addLeftovers(database, id, nowMs);
  // A worker that stops deletes its rounds.
  const { rows: rounds } = await database.pool.query<[number, string]>({
    text: 'SELECT id, round FROM risk_rounds',
    rowMode: 'array',
  });
  await service.stop();
  await database.pool.query(`UPDATE deliveries SET state = 'pending'`);
  await database.pool.query(
    `INSERT INTO notification_threads (target_id, subject_id, organization_id, project_id, remote, severity, status,
        first_sent_at, sent_at)
      SELECT target_id, subject_id, organization_id, project_id, '{"ts": "1.2"}', severity, 'open', ${now}, ${now}
      FROM deliveries`,
  );
  await database.pool.query(`INSERT INTO risk_inbox (deltas, entries, from_ms) VALUES ('[]', 0, 0)`);
  for (const round of rounds) await database.pool.query('INSERT INTO risk_rounds VALUES ($1, $2)', round);

  const intake = await startTestService({ database, clock, roles: ['ingestion'] });
  const queued = await fetch(`${intake.ingestionUrl}/ingest/events`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'late', severity: 'INFO', message: 'Still in the queue' }),
  });
  expect(queued.status).toBe(202);
  await intake.stop();
  return { email: user.email, password: user.password, apiKey };
}

async function addOldEvents({ pool }: TestDatabase, nowMs: number): Promise<void> {
  for (const agoMs of [3 * WEEK_MS, 7 * WEEK_MS, 12 * WEEK_MS, 5 * HOUR_MS, 2 * HOUR_MS]) {
    const timeMs = nowMs - agoMs;
    await ensurePartitions(pool, timeMs, timeMs);
    for (const source of [null, '', 'shop']) {
      await pool.query(
        `INSERT INTO events (id, organization_id, project_id, received_at, severity, type, source, message,
            correlation_id, fingerprint, release, correlation, payload)
          SELECT $1, organization_id, id, $2, 'info', 'old', $3, 'Old', 'c', 'f', $3, '{}',
            '{"big": 12345678901234567890.5}' FROM projects`,
        [newUuid(timeMs), new Date(timeMs), source],
      );
    }
  }
  // Only those of this day: the service copies every hour since the first count.
  await pool.query(
    `INSERT INTO event_counts (organization_id, project_id, minute, severity, type, source, count)
      SELECT organization_id, project_id, date_trunc('minute', received_at), severity, type, source, count(*)
      FROM events WHERE type = 'old' AND received_at > $1 GROUP BY 1, 2, 3, 4, 5, 6`,
    [new Date(nowMs - 6 * HOUR_MS)],
  );
  await pool.query('UPDATE ledgers SET accepted = accepted + 15, stored = stored + 15');
}

/** Adds an archive that nothing has moved to yet. */
async function addArchive({ pool }: TestDatabase, nowMs: number): Promise<void> {
  const weekMs = weekOf(nowMs - 20 * WEEK_MS);
  await insertArchiveState(pool, newUuid(nowMs));
  const bounds = { afterId: newUuid(weekMs), lastId: newUuid(endOfWeek(weekMs)) };
  await insertAdoptedBlock(pool, { number: 1, week: new Date(weekMs), ...bounds }, { rows: 2, hash: '123' });
  await insertDeletion(pool, { kind: 'week', condition: { week: new Date(weekMs).toISOString() } });
}

/** A time in SQL: the clock of a test may be hours from the database's own. */
function timeLiteral(timeMs: number): string {
  return `'${new Date(timeMs).toISOString()}'::timestamptz`;
}

/** Adds rows that otherwise only a fault or a certain moment leaves. */
async function addLeftovers({ pool }: TestDatabase, projectId: string, nowMs: number): Promise<void> {
  const now = timeLiteral(nowMs);
  const steady = [{ source: null, behindMs: 420_000, sinceMs: nowMs }];
  await insertLateSources(pool, toUuid('proj', projectId) ?? '', steady, 0);
  await pool.query(
    `INSERT INTO releases (project_id, version, first_seen, last_seen)
      SELECT id, E'1.0\\t', ${now}, ${now} FROM projects`,
  );
  await pool.query(
    `INSERT INTO deploys (id, project_id, release, environment, deployed_at, created_at)
      SELECT gen_random_uuid(), id, E'1.0\\t', 'production', ${now}, ${now} FROM projects`,
  );
  await pool.query(
    `INSERT INTO schedules (id, project_id, slug, name, cron, time_zone, grace_seconds, failure_after, recover_after,
        severity, ping_hash, due_at, review_at, created_at)
      SELECT gen_random_uuid(), id, 'backup', E'Back\tup', '0 3 * * *', 'Europe/Berlin', 300, 1, 1, 'error',
        sha256(id::text::bytea), ${now} + interval '1 day', ${now} + interval '1 day', ${now} FROM projects`,
  );
  await pool.query(
    `INSERT INTO check_ins (id, schedule_id, project_id, status, at, due_at, duration_ms, run_id, body)
      SELECT gen_random_uuid(), id, project_id, 'ok', ${now}, ${now}, 1200, gen_random_uuid(), E'7 files\ncopied' FROM schedules`,
  );
  await pool.query(
    `INSERT INTO silences (id, organization_id, project_id, type, correlation_key, correlation_value, reason, created_by,
        starts_at, until)
      SELECT gen_random_uuid(), p.organization_id, p.id, E'pay\tment', 'tenant', 'a=b', E'Load\ntest', u.id, ${now},
        ${now} + interval '1 day' FROM projects p, users u LIMIT 1`,
  );
  await pool.query(
    `INSERT INTO silence_matches (silence_id, subject_id, project_id, matched_at)
      SELECT id, gen_random_uuid(), project_id, ${now} FROM silences`,
  );
  await pool.query(
    `INSERT INTO web_push_keys (encryption_key, public_key, private_key, created_at) VALUES ('none', 'B', 'none:x', ${now})`,
  );
  await pool.query(
    `INSERT INTO web_push_browsers (id, user_id, endpoint_hash, subscription, encryption_key, host, user_agent, created_at,
        session_id)
      SELECT gen_random_uuid(), user_id, sha256(id::text::bytea), 'none:x', 'none', 'push.invalid', E'Brow\tser', ${now}, id
      FROM sessions LIMIT 1`,
  );
  await pool.query(
    `INSERT INTO erasures (id, organization_id, project_id, key, value_hash, state, created_by, created_at, queue_id,
        covered_until, unreached, finished_at)
      SELECT gen_random_uuid(), p.organization_id, p.id, E'user\tid', sha256('a'), 'done', u.id, ${now}, 1, ${now},
        '[{"what": "backups", "until": null}]', ${now} FROM projects p, users u LIMIT 1`,
  );
  await upsertExclusion(pool, toUuid('proj', projectId) ?? '', new Date(nowMs - HOUR_MS));
  await pool.query(
    `INSERT INTO dead_letters (project_id, id, kind, title, event, events, sql_state, reason)
      SELECT id, gen_random_uuid(), 'event', E'\\t', E'{"message":"\\\\u0000\\t"}', 1, '22P05', E'unsupported\\nUnicode'
      FROM projects`,
  );
  await pool.query('UPDATE ledgers SET accepted = accepted + 2, dead = dead + 1, sampled = sampled + 1');
  await pool.query(
    `INSERT INTO scrubbed_values SELECT id, date_trunc('day', ${now}, 'UTC'), 'key', 3 FROM projects`,
  );
  await pool.query(`INSERT INTO sampled_events SELECT id, ${now}, '{-7, 7}' FROM projects`);
}
