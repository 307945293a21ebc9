import { statfs } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findRunningPostgres } from '@tocsin/embedded-postgres';
import { Client } from 'pg';
import { cpuTimeOf } from './support/cpu.ts';
import { startService } from './support/processes.ts';
import { ACCOUNT } from './support/queries-account.ts';
import { listReadRows, type Reading, type ReadRow } from './support/read-rows.ts';
import { seedSkewed } from './support/seed-skewed.ts';
import { isOfOther, PROJECTS } from './support/skewed-data.ts';

/*
 * The reads of events, groups, releases and incidents among many, over HTTP, one after the other: `npm run bench:queries`,
 * `-- --events 10000000 --groups 1000000 --incidents 100000 --data DIR` at the size of docs/performance.md. What is in DIR is
 * kept, and measured as it is where it was filled before. `--rows PART`, which may be repeated,
 * measures only rows whose name holds PART.
 */
const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    groups: { type: 'string', default: '100000' },
    incidents: { type: 'string', default: '10000' },
    data: { type: 'string' },
    rows: { type: 'string', multiple: true, default: [''] },
    /** Prints the slowest reads of each row. */
    slowest: { type: 'string', default: '0' },
  },
});
/** Groups, counts and their indexes included. */
const BYTES_AN_EVENT = 1_200;
const OTHER = { ...ACCOUNT, email: 'others@example.com' };

const service = await startService(options.data === undefined ? {} : { kept: path.resolve(options.data) });
const url = service.managementUrl;
const { cookie, isNew } = await signIn(ACCOUNT);
const client = new Client(
  process.env.DATABASE_URL
    ? { connectionString: process.env.DATABASE_URL }
    : { ...(await findRunningPostgres(service.dataDirectory)), database: 'tocsin' },
);
await client.connect();
if (isNew) await seed();
const { rows: sizes } = await client.query<{
  groups: number;
  events: number;
  incidents: number;
  bytes: string;
  version: string;
}>(
  `SELECT (SELECT count(*)::int FROM groups) AS groups, (SELECT count(*)::int FROM events) AS events,
    (SELECT count(*)::int FROM incidents) AS incidents, pg_size_pretty(pg_database_size(current_database())) AS bytes,
    current_setting('server_version') AS version`,
);
const [size] = sizes;
console.log(
  `${cpus().length} × ${cpus()[0]?.model}; Node ${process.version}, PostgreSQL ${size?.version}; ${size?.events} events, ${size?.groups} groups, ${size?.incidents} incidents, ${size?.bytes}`,
);
console.log(
  `${'milliseconds'.padEnd(48)}   reads      p50      p95      max   CPU p50      p95      max   bar`,
);

const missed: string[] = [];
for (const row of await listReadRows(client, get))
  if (options.rows.some((part) => row.name.includes(part))) await measure(row);
await client.end();
await service.stop();
if (missed.length > 0) console.log(`over the bar: ${missed.join('; ')}`);
process.exitCode = missed.length > 0 ? 1 : 0;

async function signIn(account: typeof ACCOUNT): Promise<{ cookie: string; isNew: boolean }> {
  for (const route of ['/auth/login', '/auth/signup']) {
    const answer = await fetch(`${url}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(route === '/auth/login' ? { ...account, name: undefined } : account),
    });
    if (answer.ok)
      return {
        cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '',
        isNew: route === '/auth/signup',
      };
  }
  throw new Error('Neither log-in nor sign-up succeeded.');
}

async function seed(): Promise<void> {
  await requireRoom(service.dataDirectory, Number(options.events));
  await signIn(OTHER);
  const { rows: members } = await client.query<{ organizationId: string; userId: string }>(
    `SELECT organization_id AS "organizationId", user_id AS "userId" FROM members JOIN users ON users.id = user_id
      ORDER BY email = $1 DESC`,
    [ACCOUNT.email],
  );
  const [own, other] = members;
  if (!own || !other) throw new Error('The accounts have no organizations.');
  const places = [];
  for (let project = 0; project < PROJECTS; project++) {
    const { organizationId } = isOfOther(project) ? other : own;
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO projects (id, organization_id, name, environment, group_prefix, created_at) VALUES (uuidv7(), $1, $2, 'production', $2, now()) RETURNING id`,
      [organizationId, `Project ${project}`],
    );
    places.push({ organizationId, projectId: rows[0]?.id ?? '' });
  }
  const [events, groups, incidents] = [options.events, options.groups, options.incidents].map(Number);
  if (!events || !groups || !incidents)
    throw new Error('Events, groups and incidents are numbers from 1 on.');
  const skewed = { events, groups, incidents, places, userId: own.userId, nowMs: Date.now() };
  await seedSkewed(client, skewed, (line) => console.log(`${new Date().toISOString()} ${line}`));
}

/** @throws where the disk has less than twice the room that the events will take */
async function requireRoom(directory: string, events: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  const needed = 2 * events * BYTES_AN_EVENT;
  if (bavail * bsize < needed)
    throw new Error(`${directory} has ${bavail * bsize} bytes free; ${events} events need ${needed}.`);
}

async function get(route: string): Promise<Reading> {
  const answer = await fetch(route.startsWith('http') ? route : `${url}${route}`, { headers: { cookie } });
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
  return { body: await answer.json(), next, status: answer.status };
}

async function measure({ name, paths, bars }: ReadRow): Promise<void> {
  const reads: { route: string; wallMs: number; cpuMs: number; status: number }[] = [];
  for (const route of paths.slice(0, 3)) await get(route);
  for (const route of paths) {
    const cpuBefore = cpuTimeOf(service.child.pid ?? 0);
    const startedAt = performance.now();
    const { status } = await get(route);
    const wallMs = performance.now() - startedAt;
    reads.push({ route, wallMs, cpuMs: cpuTimeOf(service.child.pid ?? 0) - cpuBefore, status });
  }
  const at = (of: 'wallMs' | 'cpuMs', share: number) =>
    reads.map((read) => read[of]).toSorted((left, right) => left - right)[
      Math.min(reads.length - 1, Math.floor(reads.length * share))
    ] ?? 0;
  const isFailed = reads.some(({ status }) => status !== 200);
  const isOver = Object.entries(bars).some(([share, barMs]) => at('wallMs', Number(share)) > barMs);
  if (isFailed || isOver) missed.push(name);
  const figures = (['wallMs', 'cpuMs'] as const).flatMap((of) =>
    [0.5, 0.95, 1].map((share) => at(of, share).toFixed(1).padStart(9)),
  );
  const bar = Object.entries(bars).map(
    ([share, barMs]) => `${share === '1' ? 'max' : `p${Number(share) * 100}`} ${barMs}`,
  );
  console.log(
    `${name.padEnd(48)} ${String(reads.length).padStart(7)}${figures.join('')}   ${bar.join(', ')}${isFailed ? ' FAILED' : isOver ? ' over' : ''}`,
  );
  const worst = reads.toSorted((left, right) => right.wallMs - left.wallMs).slice(0, Number(options.slowest));
  for (const { route, wallMs, cpuMs, status } of worst)
    console.log(`    ${wallMs.toFixed(0)} ms, CPU ${cpuMs.toFixed(0)}: ${status} ${route}`);
}
