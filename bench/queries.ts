import { cpus } from 'node:os';
import { findRunningPostgres } from '@tocsin/embedded-postgres';
import { Client } from 'pg';
import { startService } from './support/processes.ts';
import { type Seeded, seedGroups, seedIncident } from './support/seed-groups.ts';

/*
 * The reads of groups, releases and events on a project of a million groups and ten million events, over HTTP, one after the
 * other. A database in DATABASE_URL is kept, and measured as it is where it was filled before.
 */
const GROUPS = Number(process.env.GROUP_COUNT ?? 1_000_000);
const EVENTS = Number(process.env.EVENT_COUNT ?? 10_000_000);
const ROUNDS = Number(process.env.ROUNDS ?? 15);
const BAR_MS = 300;
const GOAL_MS = 50;
const ACCOUNT = { name: 'Bench', email: 'queries@example.com', password: 'a long password' };
const HOUR_MS = 3_600_000;

const service = await startService();
process.once('exit', () => service.child.kill('SIGTERM'));
const url = service.managementUrl;
const cookie = await signIn();
const { project, wasThere } = await findProject();
const client = new Client(
  process.env.DATABASE_URL
    ? { connectionString: process.env.DATABASE_URL }
    : { ...(await findRunningPostgres(service.dataDirectory)), database: 'tocsin' },
);
await client.connect();
const { rows: places } = await client.query<Pick<Seeded, 'organizationId' | 'projectId' | 'userId'>>(
  `SELECT p.organization_id AS "organizationId", p.id AS "projectId", m.user_id AS "userId"
    FROM projects AS p JOIN members AS m USING (organization_id) LIMIT 1`,
);
const [place] = places;
if (!place) throw new Error('The project has no row.');
if (!wasThere) {
  const seeded = { ...place, groups: GROUPS, events: EVENTS, nowMs: Date.now() };
  await seedGroups(client, seeded, (line) => console.log(`${new Date().toISOString()} ${line}`));
  await seedIncident(client, seeded);
}
const { rows: sizes } = await client.query<{ groups: number; events: number; bytes: string }>(
  `SELECT (SELECT count(*)::int FROM groups) AS groups, (SELECT count(*)::int FROM events) AS events,
    pg_size_pretty(pg_database_size(current_database())) AS bytes`,
);
console.log(
  `${cpus().length} × ${cpus()[0]?.model}; ${sizes[0]?.groups} groups, ${sizes[0]?.events} events, ${sizes[0]?.bytes}`,
);

const isMissed: string[] = [];
for (const [name, path] of await listReads()) await measure(name, path);
await client.end();
await service.stop();
if (isMissed.length > 0) console.log(`over ${BAR_MS} ms: ${isMissed.join('; ')}`);
process.exitCode = isMissed.length > 0 ? 1 : 0;

async function signIn(): Promise<string> {
  for (const path of ['/auth/login', '/auth/signup']) {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(path === '/auth/login' ? { ...ACCOUNT, name: undefined } : ACCOUNT),
    });
    if (answer.ok) return answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  }
  throw new Error('Neither log-in nor sign-up succeeded.');
}

async function findProject(): Promise<{ project: string; wasThere: boolean }> {
  const [listed] = (await get('/projects')).body as { id: string }[];
  if (listed) return { project: listed.id, wasThere: true };
  const created = await fetch(`${url}/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ name: 'Million' }),
  });
  return { project: ((await created.json()) as { id: string }).id, wasThere: false };
}

async function get(path: string): Promise<{ body: unknown; next: string | null; status: number }> {
  const answer = await fetch(path.startsWith('http') ? path : `${url}${path}`, { headers: { cookie } });
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
  return { body: await answer.json(), next, status: answer.status };
}

/** A page far behind the first: its cursor is as good as one that was walked to. */
async function deepPage(path: string): Promise<string> {
  let next = `${path}&limit=500`;
  for (let page = 0; page < 20; page++) {
    const following = (await get(next)).next;
    if (!following) break;
    next = following;
  }
  return new URL(next, url).href.replace('limit=500', 'limit=50');
}

async function listReads(): Promise<[name: string, path: string][]> {
  const groups = `/groups?project_id=${project}`;
  const [group, incident] = [
    ((await get(`${groups}&sort=last_seen`)).body as { id: string }[])[0]?.id,
    ((await get('/incidents')).body as { id: string }[])[0]?.id,
  ];
  const reads: [string, string][] = [];
  const filters = {
    none: '',
    'state=open': '&state=open',
    'state=resolved': '&state=resolved',
    release: '&release=4.7.0',
    source: '&source=service-7',
    type: '&type=type-7',
    'severity=critical': '&severity=critical',
    'min_severity=warn': '&min_severity=warn',
    'assignee=me': '&assignee=me',
    'assignee=none': '&assignee=none',
    'is=new': '&is=new',
    'is=regressed': '&is=regressed',
  };
  for (const sort of ['last_seen', 'first_seen', 'count', 'users']) {
    for (const [name, filter] of Object.entries(filters))
      reads.push([`groups by ${sort}, ${name}`, `${groups}${filter}&sort=${sort}`]);
    reads.push([`groups by ${sort}, page 20`, await deepPage(`${groups}&sort=${sort}`)]);
  }
  for (const words of [
    'charged',
    'PaymentDeclined voucher',
    '654321',
    'basket/stock.ts',
    'nowhere-at-all',
    'MILLION-777',
  ])
    reads.push([`groups by words: ${words}`, `${groups}&q=${encodeURIComponent(words)}`]);
  reads.push(
    ['a group', `/groups/${group}`],
    ['its events', `/groups/${group}/events`],
    ['its oldest event', `/groups/${group}/events?order=asc&limit=1`],
    ['its history', `/groups/${group}/history`],
    ['groups of an incident', `/incidents/${incident}/groups`],
    ['releases', `/releases?project_id=${project}`],
  );
  const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
  const events = `/events?project_id=${project}`;
  for (const [name, filter] of [
    ['', ''],
    ['oldest first', '&order=asc'],
    ['of a release', '&release=4.7.0'],
    ['of a group', `&group_id=${group}`],
    ['of a user', '&correlation.user_id=usr_777'],
    ['of any value', '&correlation=ord_4444444'],
    ['of a word', '&q=charged'],
    ['of a word that is rare', '&q=nowhere-at-all'],
  ] as const)
    reads.push([`events ${name}`, `${events}${filter}`]);
  for (const [name, hours] of [
    ['24 hours', 24],
    ['5 days', 120],
  ] as const) {
    for (const by of ['fingerprint', 'type', 'source'])
      reads.push([`top by ${by}, ${name}`, `/events/top?project_id=${project}&by=${by}&from=${ago(hours)}`]);
    reads.push([`histogram, ${name}`, `/events/histogram?project_id=${project}&from=${ago(hours)}`]);
    reads.push([
      `histogram of a group, ${name}`,
      `/events/histogram?project_id=${project}&group_id=${group}&from=${ago(hours)}`,
    ]);
  }
  return reads;
}

async function measure(name: string, path: string): Promise<void> {
  const times: number[] = [];
  let answer = await get(path);
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now();
    answer = await get(path);
    times.push(performance.now() - startedAt);
    // What takes seconds needs no more to be known as slow.
    if (round >= 2 && times.reduce((sum, time) => sum + time, 0) > 10_000) break;
  }
  const sorted = times.toSorted((left, right) => left - right);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const [median, p95] = [at(0.5), at(0.95)];
  const rows = Array.isArray(answer.body) ? `${answer.body.length} rows` : '';
  const verdict =
    answer.status !== 200
      ? String(answer.status)
      : median > BAR_MS
        ? 'over the bar'
        : median > GOAL_MS
          ? ''
          : 'goal';
  if (verdict !== 'goal' && verdict !== '') isMissed.push(name);
  console.log(
    `${name.padEnd(42)} ${median.toFixed(1).padStart(8)} ms  p95 ${p95.toFixed(1).padStart(8)}  ${rows.padStart(8)}  ${verdict}`,
  );
}
