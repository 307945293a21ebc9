import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { MAX_REVIEW_MS } from '../src/alerts/alert-states.ts';
import { reviewAlerts } from '../src/alerts/review-alerts.ts';
import { inTransaction } from '../src/database/database.ts';
import { acquireLease } from '../src/database/lease-queries.ts';
import { findAskedRecipient } from '../src/notifications/recipients/queries.ts';
import { confirmedTime } from '../src/platform/clock.ts';
import { toUuid } from '../src/platform/ids.ts';
import { latestHold } from '../src/platform/stored-times.ts';
import { listWatchedOrganizations } from '../src/processing/queries.ts';
import { listExcludedIds } from '../src/risk/live/exclusion-queries.ts';
import { issueRecoveryLink } from '../src/tenancy/recovery/issue-link.ts';
import { anAlert, notify } from './alerts/support.ts';
import { type Answer, ApiClient } from './support/client.ts';
import { LeapingClock } from './support/clock.ts';
import { startTestService, type TestUser } from './support/service.ts';
import { totpCode } from './support/totp-code.ts';
import { waitFor } from './support/wait.ts';
import { signUpWithWebhook, type WebhookTarget } from './support/webhook-target.ts';
import { reviewDueSchedules, settleEndedSilences } from './support/worker-rounds.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const CODE_STEP_MS = 30_000;
const LEAPS: readonly [string, number][] = [
  ['two hours ahead', 2 * HOUR_MS],
  ['200 days ahead', 200 * DAY_MS],
  ['two hours behind', -2 * HOUR_MS],
];

const clock = new LeapingClock();
const service = await startTestService({ clock, environment: { OUTBOUND_ALLOW: '127.0.0.1' } });
const { pool } = service.database;
const uuid = (prefix: Parameters<typeof toUuid>[0], id: string) => toUuid(prefix, id) ?? '';

const setUp = () => signUpWithWebhook(service);

type Setting = Awaited<ReturnType<typeof setUp>>;

const isTold = ({ received }: WebhookTarget, id: string) =>
  received.some(({ data }) => data['incident']?.id === id);
const arrival = (webhook: WebhookTarget, id: string) => waitFor('the message', () => isTold(webhook, id));
const set = (column: string, id: string, at: Date) => {
  const [table, name] = column.split('.');
  return pool.query(`UPDATE ${table} SET ${name} = $2 WHERE id = $1`, [id, at]);
};

/** A column with a time that may be in the future: the change of the test, and its check. */
interface FutureTime {
  effect: 'holds back' | 'allows';
  check: (column: string, at: Date, setting: Setting) => Promise<void>;
}

const blocksTarget: FutureTime = {
  effect: 'holds back',
  async check(column, at, { targetId, webhook, user, project }) {
    await set(column, uuid('ntg', targetId), at);
    await arrival(webhook, await user.openIncident(project.id));
  },
};

const expires = async (at: Date, read: () => Promise<{ until: string } | null>, maxMs: number) => {
  const found = await read();
  if (at.getTime() < clock.now()) {
    expect(found).toBeNull();
    return;
  }
  const shownMs = Date.parse(found?.until ?? '');
  expect(shownMs).toBeGreaterThan(clock.now());
  expect(shownMs).toBeLessThanOrEqual(Math.min(at.getTime(), clock.now() + maxMs));
};

/** All times that may lie in the future, with the rule that bounds each. */
const FUTURE: Record<string, FutureTime> = {
  'notification_targets.blocked_until': blocksTarget,
  'notification_targets.bucket_until': blocksTarget,
  'notification_targets.leased_until': blocksTarget,
  'deliveries.due_at': {
    effect: 'holds back',
    async check(column, at, { targetId, webhook, user, project }) {
      const blocked = new Date(clock.now() + 30 * MINUTE_MS);
      await set('notification_targets.blocked_until', uuid('ntg', targetId), blocked);
      const id = await user.openIncident(project.id);
      await pool.query(`UPDATE ${column.split('.')[0]} SET due_at = $2 WHERE subject_id = $1`, [
        uuid('inc', id),
        at,
      ]);
      await pool.query('UPDATE notification_targets SET blocked_until = NULL WHERE id = $1', [
        uuid('ntg', targetId),
      ]);
      await service.maintain();
      await arrival(webhook, id);
    },
  },
  'leases.expires_at': {
    effect: 'holds back',
    async check(_, at) {
      const [name, durationMs] = [randomUUID(), 8_000];
      await pool.query('INSERT INTO leases (name, holder_id, expires_at) VALUES ($1, $2, $3)', [
        name,
        randomUUID(),
        at,
      ]);
      expect(await acquireLease(pool, { name, holderId: randomUUID(), durationMs })).toBe(true);
      expect(await acquireLease(pool, { name, holderId: randomUUID(), durationMs })).toBe(false);
    },
  },
  'live_tail_watchers.expires_at': {
    effect: 'holds back',
    async check(_, at, { user }) {
      const id = uuid('org', user.organizationId);
      await pool.query(
        'INSERT INTO live_tail_watchers (organization_id, watcher_id, expires_at) VALUES ($1, $2, $3)',
        [id, randomUUID(), at],
      );
      expect(await listWatchedOrganizations(pool, new Date(clock.now()))).not.toContain(id);
    },
  },
  'alert_groups.review_at': {
    effect: 'holds back',
    async check(_, at, { project }) {
      const startsAtMs = clock.now() - 20 * HOUR_MS;
      await notify(project, 'whole', [anAlert({ startsAtMs })]);
      await notify(project, 'cut', [anAlert({ startsAtMs })], 1);
      await service.settled();
      // The worker of the service may review it first.
      await pool.query(
        `UPDATE alert_groups SET review_at = $2, received_at = $3,
          alerts = jsonb_set(alerts, ARRAY[(SELECT jsonb_object_keys(alerts)), 'seenAtMs'], to_jsonb($4::bigint))
          WHERE project_id = $1`,
        [uuid('proj', project.id), at, at, at.getTime()],
      );
      await reviewAlerts({ pool, clock });
      const { rows } = await pool.query<{ reviewAt: Date | null }>(
        'SELECT review_at AS "reviewAt" FROM alert_groups WHERE project_id = $1',
        [uuid('proj', project.id)],
      );
      expect(rows).toHaveLength(2);
      for (const { reviewAt } of rows)
        expect(reviewAt?.getTime()).toBeLessThanOrEqual(latestHold(clock.now(), MAX_REVIEW_MS));
    },
  },
  'risk_excluded_projects.retry_at': {
    effect: 'holds back',
    async check(_, at, { project }) {
      const id = uuid('proj', project.id);
      await pool.query(
        `INSERT INTO risk_excluded_projects (project_id, failures, failed_at, retry_at) VALUES ($1, 1, $2, $2)`,
        [id, at.getTime() > clock.now() ? new Date(at.getTime() + 5 * HOUR_MS) : at],
      );
      expect(await listExcludedIds(pool, new Date(clock.now()))).not.toContain(id);
    },
  },
  'schedules.due_at': { effect: 'holds back', check: checkSchedule },
  'schedules.review_at': { effect: 'holds back', check: checkSchedule },
  'sessions.expires_at': {
    effect: 'allows',
    async check(_, at, { user }) {
      await pool.query('UPDATE sessions SET expires_at = $2 WHERE user_id = $1', [uuid('usr', user.id), at]);
      await expires(
        at,
        async () => {
          const { status, body } = await user.api.get('/auth/sessions');
          return status === 200 ? { until: body[0].expiresAt } : null;
        },
        7 * DAY_MS,
      );
    },
  },
  'access_tokens.expires_at': {
    effect: 'allows',
    async check(column, at, { user }) {
      const { body } = await user.api.post('/tokens', { name: 'Script', scopes: ['read'] });
      await set(column, uuid('tok', body.id), at);
      const script = new ApiClient(service.managementUrl, { authorization: `Bearer ${body.token}` });
      await expires(
        at,
        async () => {
          const { status } = await script.get('/incidents');
          const listed = (await user.api.get('/tokens')).body[0];
          return status === 200 ? { until: listed.expiresAt } : null;
        },
        366 * DAY_MS,
      );
    },
  },
  'invitations.expires_at': {
    effect: 'allows',
    async check(column, at, { user }) {
      const { body } = await user.api.post(`/organizations/${user.organizationId}/invitations`, {});
      await set(column, uuid('inv', body.id), at);
      const invitation = String(body.url).split('#')[1];
      await expires(
        at,
        async () => {
          const offer = await new ApiClient(service.managementUrl).post('/invitations/lookup', {
            invitation,
          });
          return offer.status === 200 ? { until: offer.body.expiresAt } : null;
        },
        30 * DAY_MS,
      );
    },
  },
  'recovery_links.expires_at': {
    effect: 'allows',
    async check(_, at, { user }) {
      const userId = uuid('usr', user.id);
      const asked = { userId, origin: 'operator', createdBy: null } as const;
      const issued = await inTransaction({ pool, clock }, (transaction) =>
        issueRecoveryLink(transaction, asked),
      );
      await pool.query('UPDATE recovery_links SET expires_at = $2 WHERE user_id = $1', [
        uuid('usr', user.id),
        at,
      ]);
      const token = issued?.token;
      await expires(
        at,
        async () => {
          const offer = await new ApiClient(service.managementUrl).post('/auth/password-reset/lookup', {
            token,
          });
          return offer.status === 200 ? { until: offer.body.expiresAt } : null;
        },
        DAY_MS,
      );
    },
  },
  'mail_recipients.expires_at': {
    effect: 'allows',
    async check(column, at, setting) {
      const { hash } = await insertRecipient(column, at, setting);
      const found = await findAskedRecipient(pool, hash, new Date(confirmedTime(clock)));
      expect(found !== null).toBe(at.getTime() > clock.now());
    },
  },
  'silences.until': {
    effect: 'allows',
    async check(column, at, { user }) {
      const until = new Date(clock.now() + HOUR_MS).toISOString();
      const { body } = await user.api.post('/silences', { until });
      await set(column, uuid('sil', body.id), at);
      await settleEndedSilences(service);
      const read = async () => (await user.api.get('/silences')).body[0] ?? null;
      await expires(at, read, 30 * DAY_MS);
    },
  },
  'groups.mute_until': {
    effect: 'allows',
    async check(column, at, { user, project }) {
      const event = { type: 't', severity: 'ERROR', message: 'The card was refused' };
      expect((await project.ingest.post('/ingest/events', event)).status).toBe(202);
      await service.settled();
      const [{ id }] = (await user.api.get(`/groups?project_id=${project.id}`)).body;
      const until = new Date(clock.now() + HOUR_MS).toISOString();
      const muted = await user.api.patch(`/groups/${id}`, { state: 'muted', muteUntil: until });
      expect(muted.status, JSON.stringify(muted.body)).toBe(200);
      await set(column, uuid('grp', id), at);
      expect((await user.api.get(`/groups/${id}`)).body.state).toBe(
        at.getTime() < clock.now() ? 'open' : 'muted',
      );
    },
  },
};

/** Inserts an address that an organization has asked for confirmation. */
async function insertRecipient(column: string, at: Date, { user }: Setting) {
  const recipient = {
    organizationId: uuid('org', user.organizationId),
    address: `${randomUUID()}@example.com`,
    hash: randomBytes(32),
  };
  await pool.query(
    `INSERT INTO mail_recipients (organization_id, address, created_at, hash, ${column.split('.')[1]})
      VALUES ($1, $2, $3, $4, $5)`,
    [recipient.organizationId, recipient.address, new Date(clock.now()), recipient.hash, at],
  );
  return recipient;
}

async function checkSchedule(column: string, at: Date, { user, project }: Setting): Promise<void> {
  const schedule = { name: 'Nightly backup', intervalSeconds: 3_600, graceSeconds: 60 };
  const created = await user.api.post(`/projects/${project.id}/schedules`, schedule);
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const id = uuid('sch', created.body.id);
  const isAhead = at.getTime() > clock.now();
  await pool.query('UPDATE schedules SET due_at = $2, review_at = $2 WHERE id = $1', [id, at]);
  await service.maintain();
  await reviewDueSchedules(service);
  const { rows } = await pool.query<{ at: Date }>(
    `SELECT ${column.split('.')[1]} AS at FROM schedules WHERE id = $1`,
    [id],
  );
  const latestMs = clock.now() + HOUR_MS + 2 * MINUTE_MS;
  if (isAhead) expect(rows[0]?.at.getTime()).toBeLessThanOrEqual(latestMs);
  else expect(rows[0]?.at.getTime()).toBeGreaterThan(at.getTime());
}

/** Times of past events. Counts since a time leave out times more than a minute ahead. */
const PAST = `
  access_tokens.created_at access_tokens.last_used_at alert_groups.fired_at alert_groups.received_at api_keys.created_at api_keys.last_used_at audit_log.created_at
  check_ins.at check_ins.due_at claims.created_at dead_letters.created_at deliveries.created_at deliveries.finished_at
  deliveries.last_attempt_at deploys.created_at deploys.deployed_at erasures.covered_until erasures.created_at erasures.finished_at event_counts.minute field_counts.minute event_hours.hour events.received_at
  group_history.created_at group_hours.hour hooks.last_refused_at group_minutes.minute group_numbers.day group_recent_hours.hour
  groups.first_seen groups.last_seen groups.regressed_at groups.resolved_at groups.sampled_hour incident_frames.created_at
  incident_timeline.created_at incidents.created_at incidents.resolved_at incidents.updated_at intake_presence.since
  intake_presence.told_at intake_presence.until invitations.accepted_at invitations.created_at fingerprint_hours.hour
  live_tail.created_at live_updates.created_at mail_recipients.asked_at
  mail_recipients.confirmed_at mail_recipients.created_at login_failures.failed_at members.confirmed_at members.created_at named_releases.named_at notices.created_at
  notification_changes.created_at notification_routes.created_at notification_routes.updated_at
  notification_targets.created_at notification_targets.disabled_at notification_targets.failing_since
  notification_targets.last_success_at notification_targets.updated_at notification_threads.first_sent_at
  notification_threads.sent_at organizations.created_at projects.created_at
  projects.deleted_at queue.accepted_at quota_windows.over_since quota_windows.starts_at recovery_links.created_at releases.deployed_at releases.first_seen
  releases.last_seen request_counts.last_at request_counts.minute request_samples.at revoked_keys.revoked_at risk_decisions.decided_at risk_late_sources.since risk_excluded_projects.failed_at risk_settings.updated_at
  rolled_hours.groups_since rolled_hours.until sampled_events.minute schedules.created_at schedules.last_check_in_at schedules.paused_at
  schema_migrations.applied_at scrubbed_values.day sessions.created_at sessions.last_seen_at silence_matches.matched_at
  silences.ended_at silences.settled_at silences.starts_at source_map_bundles.assembled_at stale_hours.hour totp_factors.activated_at
  totp_factors.created_at users.created_at users.email_verified_at web_push_browsers.created_at web_push_browsers.failing_since
  web_push_browsers.last_success_at web_push_keys.created_at`;

/** Columns that only retention compares, with its trusted time, which has its own tests. */
const BY_RETENTION = [
  'archive_blocks.week',
  'archive_state.archived_until',
  'archive_state.expired_at',
  'group_fingerprints.expires_at',
  'source_maps.used_at',
  'upload_chunks.uploaded_at',
];

/**
 * Numbers of time: milliseconds since 1970 or of the detectors, steps, or durations. The time of the detectors never
 * runs back: `shift_ms` ties it to the clock, whatever that shows (server/src/risk/live/passed-time.test.ts).
 */
const NUMBERS: Record<string, string> = {
  'alert_groups.repeat_ms': 'duration',
  'check_ins.duration_ms': 'duration',
  'deliveries.last_elapsed_ms': 'duration',
  'risk_inbox.from_ms': 'past: receipt of events, which detection reads in turn',
  'risk_late_sources.behind_ms': 'duration',
  'risk_progress.shift_ms': 'duration',
  'risk_progress.time_ms': 'detectors: past',
  'risk_rebuilds.active_ms': 'detectors: past',
  'risk_rebuilds.since_ms': 'detectors: past',
  'risk_state.active_ms': 'detectors: past',
  'risk_state.time_ms': 'detectors: past',
  'risk_state.visit_ms': 'detectors: holds back what events end at once',
  'schedules.last_duration_ms': 'duration',
  'totp_factors.last_step': 'holds back codes, as below',
};

/** Keys of `settings`, with the time that each holds. */
const SETTINGS: Record<string, string> = {
  api_keys_restored: 'past: shown beside older keys',
  maintenance:
    'past: of retention, which trusts no clock that leaps (server/test/processing/clock-leap.test.ts)',
  session_secret: 'none',
};

describe('stored times', () => {
  it('lists a rule for each column of the schema that holds a time', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT c.relname || '.' || a.attname AS name
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attnum > 0
          AND NOT a.attisdropped
          AND a.atttypid IN ('timestamptz'::regtype, 'timestamp'::regtype, 'date'::regtype)`,
    );
    const classified = [...PAST.trim().split(/\s+/), ...Object.keys(FUTURE), ...BY_RETENTION];
    expect(classified.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });

  it('lists a rule for each number of time in the schema, and for each setting', async () => {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name ~ '_(ms|step)$' AND data_type <> 'jsonb'`,
    );
    expect(Object.keys(NUMBERS)).toEqual(rows.map(({ name }) => name).toSorted());
    const settings = await pool.query<{ name: string }>('SELECT name FROM settings');
    expect(Object.keys(SETTINGS)).toEqual(expect.arrayContaining(settings.rows.map(({ name }) => name)));
  });

  it('resets the delay of a target when a person changes or tests it', async () => {
    const { user, targetId } = await setUp();
    const id = uuid('ntg', targetId);
    const path = `/notification-targets/${targetId}`;
    for (const act of [() => user.api.patch(path, { name: 'Phone' }), () => user.api.post(`${path}/test`)]) {
      await set('notification_targets.bucket_until', id, new Date(clock.now() + 500));
      expect((await act()).status).toBe(200);
      const { rows } = await pool.query<{ until: Date | null }>(
        'SELECT bucket_until AS until FROM notification_targets WHERE id = $1',
        [id],
      );
      expect(rows).toEqual([{ until: null }]);
    }
  });

  describe.for(LEAPS)('that are %s', ([, leapMs]) => {
    for (const [column, { effect, check }] of Object.entries(FUTURE)) {
      it(`applies only its rule to ${column}, which ${effect}`, async () => {
        await check(column, new Date(clock.now() + leapMs), await setUp());
      });
    }

    it('holds codes of a second factor back for a minute and a half at most', async () => {
      const { user } = await setUp();
      const { password, email } = user;
      const { secret } = (await user.api.post('/auth/totp/enrol', { password })).body;
      const code = totpCode(secret, clock.now());
      expect((await user.api.post('/auth/totp/activate', { code })).status).toBe(200);
      await pool.query('UPDATE totp_factors SET last_step = $2 WHERE user_id = $1', [
        uuid('usr', user.id),
        Math.floor((clock.now() + leapMs) / CODE_STEP_MS),
      ]);
      const login = { email, password, code };
      expect((await new ApiClient(service.managementUrl).post('/auth/login', login)).status).toBe(200);
    });
  });
});

describe.for(LEAPS)('a clock that is %s for a while', ([, leapMs]) => {
  it('leaves targets, silences, sessions, tokens and passwords as they are once it is right again', async () => {
    const silenced = await setUp();
    const { user, project, webhook } = await setUp();
    const script = await user.createToken('read');
    const until = new Date(clock.now() + HOUR_MS).toISOString();
    const { id: silenceId } = (await silenced.user.api.post('/silences', { until })).body;
    const made = await leap(leapMs, async () => {
      await settleEndedSilences(service);
      await arrival(webhook, await user.openIncident(project.id));
      const session = new ApiClient(service.managementUrl);
      const login = { email: user.email, password: user.password };
      expect((await session.post('/auth/login', login)).status).toBe(200);
      const tokens = await session.post('/tokens', {
        name: 'Made ahead',
        scopes: ['read'],
        expiresInDays: null,
      });
      await failToLogIn(silenced.user, 10);
      const lockedOut = { email: silenced.user.email, password: silenced.user.password };
      expect((await new ApiClient(service.managementUrl).post('/auth/login', lockedOut)).status).toBe(429);
      const headers = { authorization: `Bearer ${tokens.body.token}` };
      return { session, script: new ApiClient(service.managementUrl, headers) };
    });
    await service.maintain();
    await arrival(webhook, await user.openIncident(project.id));
    expect((await silenced.user.api.get('/silences')).body).toMatchObject([
      { id: silenceId, state: 'active' },
    ]);
    await silenced.user.openIncident(silenced.project.id);
    for (const api of [user.api, made.session]) expect((await api.get('/auth/me')).status).toBe(200);
    for (const api of [script, made.script]) expect((await api.get('/incidents')).status).toBe(200);
    const { email, password } = silenced.user;
    const again = await new ApiClient(service.managementUrl).post('/auth/login', { email, password });
    expect(again.status).toBe(200);
    expect(silenced.webhook.received).toEqual([]);
  });

  it('keeps browsers of earlier logins known, whatever others guess', async () => {
    const user = await service.signUp();
    const { email, password } = user;
    const logIn = (cookie = '') =>
      new ApiClient(service.managementUrl).post('/auth/login', { email, password }, { headers: { cookie } });
    const deviceOf = ({ headers }: Answer) =>
      headers
        .getSetCookie()
        .find((cookie) => cookie.startsWith('device='))
        ?.split(';', 1)[0] ?? '';
    const before = deviceOf(await logIn());
    const during = await leap(leapMs, async () => deviceOf(await logIn(before)));
    await failToLogIn(user, 10);
    expect((await logIn()).status).toBe(429);
    for (const cookie of [before, during]) expect((await logIn(cookie)).status).toBe(200);
    await leap(leapMs, async () => {
      await failToLogIn(user, 10);
      expect((await logIn()).status).toBe(429);
      expect((await logIn(before)).status).toBe(200);
    });
  });

  it('tells the next incident by itself, although a storm was told meanwhile', async () => {
    const { user, project, webhook } = await setUp();
    await leap(leapMs, async () => {
      for (let count = 0; count < 10; count++) await user.openIncident(project.id);
      await webhook.arrived(10);
    });
    await service.maintain();
    await arrival(webhook, await user.openIncident(project.id));
  });
});

/** Runs `work` while the clock is wrong. */
async function leap<T>(leapMs: number, work: () => Promise<T>): Promise<T> {
  clock.set(leapMs);
  try {
    return await work();
  } finally {
    clock.set(0);
  }
}

async function failToLogIn({ email }: TestUser, times: number): Promise<void> {
  for (let count = 0; count < times; count++)
    await new ApiClient(service.managementUrl).post('/auth/login', { email, password: 'a wrong password' });
}
