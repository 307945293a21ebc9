import { randomUUID } from 'node:crypto';
import { type Config, readConfig } from '../../src/config.ts';
import { createPool } from '../../src/database/database.ts';
import { type DatabaseState, OUTSIDE_DATABASE } from '../../src/database/state.ts';
import { ListeningSockets } from '../../src/http/sockets/listening-sockets.ts';
import { Maintenance, prepareForEvents } from '../../src/maintenance/maintenance.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { Encryption } from '../../src/platform/encryption/encryption.ts';
import { createLog } from '../../src/platform/log.ts';
import { Loop } from '../../src/platform/loop.ts';
import { shutDown } from '../../src/platform/shutdown.ts';
import type { RiskPace } from '../../src/risk/risk-loop.ts';
import { recordBuild } from '../../src/roles/build-info.ts';
import { DatabaseWatch } from '../../src/roles/database-watch.ts';
import { startIngestion } from '../../src/roles/ingestion.ts';
import { startManagement } from '../../src/roles/management.ts';
import { createMetrics } from '../../src/roles/metrics.ts';
import { startMetricsServer } from '../../src/roles/metrics-server.ts';
import type { Role, RoleContext } from '../../src/roles/role.ts';
import type { RoleName } from '../../src/roles/role-names.ts';
import { startWorker } from '../../src/roles/worker.ts';
import type { PasswordCost } from '../../src/tenancy/accounts/passwords.ts';
import { atEnd } from './at-end.ts';
import { type Answer, ApiClient } from './client.ts';
import { LeapingClock } from './clock.ts';
import { createDatabase, createTestDatabase, type TestDatabase } from './database.ts';
import { keepForProcess, waitUntilNone } from './leaks.ts';
import { scaled } from './time-scale.ts';
import { waitFor } from './wait.ts';

export interface TestService {
  database: TestDatabase;
  context: RoleContext;
  managementUrl: string;
  ingestionUrl: string;
  /** URL of the metrics port; null if METRICS_PORT is not set. */
  metricsUrl: string | null;
  /** Stops the service; the end of the test file does it otherwise. */
  stop: () => Promise<boolean>;
  /** Signs up a new user with a new organization, and logs them in. */
  signUp: (name?: string) => Promise<TestUser>;
  /** Runs a round of maintenance, as the worker does each minute. @returns true if there is more to do */
  maintain: () => Promise<boolean>;
  /** Begins the next round of a loop of the worker or ingestion now, rather than after its interval. */
  wake: (loop: string) => void;
  /** Resolves when everything accepted is stored and the risk loop has seen it. */
  settled: () => Promise<void>;
}

export interface TestProject {
  id: string;
  organizationId: string;
  apiKey: string;
  ingest: ApiClient;
}

export interface TestUser {
  api: ApiClient;
  id: string;
  email: string;
  password: string;
  organizationId: string;
  /** Creates a project with its first key, and a client that sends to it. */
  createProject: (name?: string) => Promise<TestProject>;
  /** Opens an incident by hand. @returns its id */
  openIncident: (projectId: string, fields?: { title?: string; severity?: string }) => Promise<string>;
  /** Waits for the newest incident of a project. */
  firstIncident: (projectId: string) => Promise<Answer['body']>;
  /** A client with an access token of these scopes. */
  createToken: (...scopes: string[]) => Promise<ApiClient>;
  /** A new user, whom this one has moved into the organization. */
  addMember: (name?: string, role?: string) => Promise<TestUser>;
}

/** Pace of the risk loop at which no test waits a second for the next round. */
const TEST_RISK_PACE: RiskPace = { intervalMs: 100, updateIntervalMs: 100, idleMs: 250 };

/** No test asserts that a part is missing because the machine is busy. */
const WAIT_FACTOR = 10;

const MIN_PASSWORD_COST: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export const TEST_ENCRYPTION_KEY = 'a-key-of-tests-that-encrypts-nothing-real';

export interface TestServiceOptions {
  /**
   * True for the file's own service, as with every other option. For tests that read the state of a process (metrics, limits
   * by address, times of last use) or of whole tables, and for those that stop, starve or time anything.
   */
  own?: true;
  roles?: RoleName[];
  database?: TestDatabase;
  clock?: Clock;
  /** Pace of the risk loop; by default several times the usual one. */
  riskPace?: RiskPace;
  /** Cost of passwords; by default the minimum of argon2, since tests protect no secrets. */
  passwordCost?: PasswordCost;
  /** Known state of the database; by default none. */
  databaseState?: DatabaseState;
  /** Name servers for names that users choose; by default those of the system. */
  nameServers?: readonly string[];
  /** Environment variables on top of free ports and a silent log. */
  environment?: Record<string, string>;
  /** Destination of the log, line by line; by default standard output. */
  logDestination?: { write: (line: string) => void };
}

/** Service of all files of a process that do not start their own. */
let shared: Promise<TestService> | null = null;

/**
 * Starts real roles on free ports. Without options they are one service for all files of a process, which ends with it: each test signs
 * up its own organization. With options they run over the file's own database, and end with the file.
 */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  if (Object.keys(options).length === 0) {
    shared ??= keepForProcess(async () => startService(await createDatabase('preparedDatabase'), {}));
    return shared;
  }
  const template = options.clock ? 'templateDatabase' : 'preparedDatabase';
  const service = await startService(options.database ?? (await createTestDatabase(template)), options);
  atEnd(() => service.stop());
  return service;
}

async function startService(database: TestDatabase, options: TestServiceOptions): Promise<TestService> {
  const {
    roles: names = ['worker', 'ingestion', 'management'],
    clock = systemClock,
    riskPace = TEST_RISK_PACE,
  } = options;
  const { context, databaseWatch, wake } = createTestContext(names, database, clock, options);
  const { config, pool, log } = context;
  await prepareForEvents(pool, clock, log, config.retentionDays);
  const maintenance = new Maintenance({ ...context, retentionDays: config.retentionDays });
  // The worker's own first round is enough, except where a test leaps from it with its clock.
  if (options.clock) await maintenance.run();

  const watching = databaseWatch.start(context.createLoop, context.pool);
  const worker = names.includes('worker') ? await startWorker(context, riskPace) : null;
  const ingestion = names.includes('ingestion') ? await startIngestion(context, () => worker?.wake()) : null;
  const management = names.includes('management')
    ? await startManagement(context, config.singlePort ? (ingestion?.app ?? null) : null)
    : null;
  const roles = [worker, ingestion, management].filter((role) => role !== null);
  await recordBuild(context.metrics);
  const metricsServer = config.metricsPort === null ? null : await startMetricsServer(context, names);

  let stopped: Promise<boolean> | null = null;
  const stop = () =>
    (stopped ??= shutDown(
      [watching, ...roles, ...(metricsServer ? [metricsServer] : []), { endPool: () => context.pool.end() }],
      context.log,
    ));

  const urlOf = (role: Role | null) => `http://127.0.0.1:${role?.port ?? 0}`;
  const [managementUrl, ingestionUrl] = [urlOf(management), urlOf(ingestion)];
  return {
    database,
    context,
    managementUrl,
    ingestionUrl,
    metricsUrl: metricsServer && `http://127.0.0.1:${metricsServer.port}`,
    stop,
    signUp: (name = 'Ada Lovelace') => signUp(managementUrl, ingestionUrl, name),
    maintain: () => maintenance.run(),
    wake,
    settled: () => settled(database),
  };
}

function createTestContext(
  roles: RoleName[],
  database: TestDatabase,
  clock: Clock,
  options: TestServiceOptions,
): { context: RoleContext; databaseWatch: DatabaseWatch; wake: TestService['wake'] } {
  const { environment = {}, logDestination } = options;
  const config: Config = readConfig({
    PORT: '0',
    INGEST_PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_POOL_SIZE: '6',
    ...environment,
  });
  const connection = { connectionString: database.connectionString };
  const metrics = createMetrics(roles);
  const log = createLog(config.logLevel, logDestination);
  const databaseWatch = new DatabaseWatch({ clock, log, metrics, file: null });
  const makePool: RoleContext['createPool'] = (applicationName, poolOptions) => {
    const pool = createPool({
      connection,
      applicationName,
      maxConnections: config.databasePoolSize,
      onError: () => {},
      ...poolOptions,
      positions: databaseWatch.positions,
    });
    metrics.pools.add(applicationName, pool);
    return pool;
  };
  const loops = new Map<string, Loop>();
  const createLoop: RoleContext['createLoop'] = (declaration) => {
    const loop = new Loop({ ...declaration, log, metrics });
    loops.set(declaration.name, loop);
    return loop;
  };
  const wake = (name: string) => {
    const loop = loops.get(name);
    if (!loop) throw new Error(`There is no loop ${name}.`);
    loop.wake();
  };
  const context: RoleContext = {
    config,
    connection,
    pool: makePool('tocsin'),
    databaseState: options.databaseState ?? OUTSIDE_DATABASE,
    encryption: new Encryption(config.encryptionKeys ?? [TEST_ENCRYPTION_KEY]),
    passwordCost: options.passwordCost ?? MIN_PASSWORD_COST,
    waitFactor: scaled(WAIT_FACTOR),
    createPool: makePool,
    createLoop,
    clock,
    monotonicMs: clock instanceof LeapingClock ? () => performance.now() : () => clock.now(),
    databaseTime: async () => clock.now(),
    nameServers: options.nameServers ?? [],
    log,
    metrics,
    sockets: new ListeningSockets(),
    processId: randomUUID(),
  };
  return { context, databaseWatch, wake };
}

async function signUp(managementUrl: string, ingestionUrl: string, name: string): Promise<TestUser> {
  const api = new ApiClient(managementUrl);
  const create = async (path: string, fields: object) => {
    const answer = await api.post(path, fields);
    if (answer.status !== 201)
      throw new Error(`${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const email = `${randomUUID()}@example.com`;
  const password = 'correct horse battery';
  const { user, organization } = await create('/auth/signup', { name, email, password });
  return {
    api,
    id: user.id,
    email,
    password,
    organizationId: organization.id,
    createProject: async (projectName = 'Shop') => {
      const { id, apiKey } = await create('/projects', { name: projectName });
      const ingest = new ApiClient(ingestionUrl, { 'x-api-key': apiKey });
      return { id, organizationId: organization.id, apiKey, ingest };
    },
    openIncident: async (projectId, fields) =>
      (await create('/incidents', { title: 'Down', severity: 'error', projectId, ...fields })).id,
    firstIncident: (projectId) =>
      waitFor('an incident', async () => (await api.get(`/incidents?project_id=${projectId}`)).body[0]),
    createToken: async (...scopes) => {
      const { token } = await create('/tokens', { name: 'CI', scopes });
      return new ApiClient(managementUrl, { authorization: `Bearer ${token}` });
    },
    addMember: async (memberName = 'Grace', role?) => {
      const member = await signUp(managementUrl, ingestionUrl, memberName);
      await create(`/organizations/${organization.id}/members`, { userId: member.id, role });
      return member;
    },
  };
}

/** Signs up an OWNER, and a member who has accepted the invitation. */
export async function signUpPair(
  service: Pick<TestService, 'signUp'>,
): Promise<{ owner: TestUser; member: TestUser }> {
  const [owner, member] = [await service.signUp('Ada'), await service.signUp('Grace')];
  const { body } = await owner.api.post(`/organizations/${owner.organizationId}/invitations`, {});
  const invitation = body.url.split('#')[1];
  const { status } = await member.api.post('/invitations/accept', { invitation });
  if (status !== 200) throw new Error(`The invitation was answered ${status}.`);
  return { owner, member };
}

/**
 * Waits until no transaction that began before is open in the database of the shared service, and no connection of a test.
 * @throws Error with their last statements
 */
export async function assertNothingOpen(limitMs?: number): Promise<void> {
  if (!shared) return;
  const { pool } = (await shared).database;
  const {
    rows: [now],
  } = await pool.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  const listOpen = async () => {
    const { rows } = await pool.query<{ query: string }>(
      `SELECT query FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()
         AND (xact_start < $1 OR application_name NOT LIKE 'tocsin%')`,
      [now?.at],
    );
    return rows.map(({ query }) => `a connection that did ${query}`);
  };
  await waitUntilNone(listOpen, limitMs);
}

/** Limit on settling: some tests send ten thousand kinds of events at once. */
const SETTLE_LIMIT_MS = 60_000;

async function settled({ pool }: TestDatabase): Promise<void> {
  await waitFor(
    'the queue and the risk inbox to be empty',
    async () => {
      const { rows } = await pool.query<{ idle: boolean }>(
        'SELECT NOT EXISTS (SELECT FROM queue) AND NOT EXISTS (SELECT FROM risk_inbox) AS idle',
      );
      return rows[0]?.idle === true;
    },
    SETTLE_LIMIT_MS,
  );
}
