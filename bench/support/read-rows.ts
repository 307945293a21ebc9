import { Random } from '@tocsin/simulation/random';
import type { Client } from 'pg';
import { INCIDENT_ID } from './seed-skewed.ts';

export interface Reading {
  body: unknown;
  next: string | null;
  status: number;
}

export interface ReadRow {
  name: string;
  /** Read one after the other. */
  paths: string[];
  /** Milliseconds that this share of the reads may take; 1: the longest. */
  bars: Partial<Record<'0.5' | '0.95' | '1', number>>;
}

type Get = (path: string) => Promise<Reading>;

const DRAWS = 3;
const REPEATS = 15;
const HOUR_MS = 3_600_000;
/** Bars of lists of groups, of a group's page and of the parts of an incident's page. */
const PAGE_BARS = { '0.5': 300 };

interface EventRow {
  id: string;
  project: string;
  type: string;
  severity: string;
  source: string;
  correlation: string;
  fingerprint: string;
  message: string;
  at: Date;
}

export async function listReadRows(client: Client, get: Get): Promise<ReadRow[]> {
  const random = new Random(3);
  const { rows: ends } = await client.query<{ at: Date }>(
    'SELECT uuid_extract_timestamp(id) AS at FROM events ORDER BY id DESC LIMIT 1',
  );
  const endMs = (ends[0]?.at.getTime() ?? Date.now()) + 1;
  const projects = await listProjectIds(get);
  const draw = () => drawEvent(client, projects, endMs - random.uniform() * 30 * 24 * HOUR_MS);
  return [
    ...(await listEventRows(draw)),
    ...(await listCountRows(draw, endMs)),
    ...incidentRows(),
    ...(await listGroupRows(get, await drawEvent(client, projects, endMs - 60_000))),
  ];
}

/** By their names. */
async function listProjectIds(get: Get): Promise<Map<string, string>> {
  // The service of the same commit answers in its documented form.
  const projects = (await get('/projects?limit=500')).body as { id: string; name: string }[];
  return new Map(projects.map(({ id, name }) => [name, id]));
}

/** A real event of the organization that is measured. */
async function drawEvent(client: Client, projects: Map<string, string>, atMs: number): Promise<EventRow> {
  const { rows } = await client.query<EventRow>(
    `SELECT id, (SELECT name FROM projects WHERE projects.id = project_id) AS project, type, severity, source, correlation_id AS correlation, fingerprint, message,
        uuid_extract_timestamp(id) AS at
      FROM events WHERE id >= (lpad(to_hex($1::bigint), 12, '0') || repeat('0', 20))::uuid
        AND organization_id = (SELECT organization_id FROM incidents WHERE id = $2)
      ORDER BY id LIMIT 1`,
    [Math.floor(atMs), INCIDENT_ID],
  );
  const [event] = rows;
  const project = event && projects.get(event.project);
  if (!project) throw new Error('There is no event.');
  return { ...event, project };
}

/** The values of an event under the names of the filters; the time is the day around it. */
const FILTERS: Record<string, (event: EventRow) => [name: string, value: string][]> = {
  project: ({ project }) => [['project_id', project]],
  type: ({ type }) => [['type', type]],
  severity: ({ severity }) => [['severity', severity]],
  source: ({ source }) => [['source', source]],
  correlation: ({ correlation }) => [['correlation_id', correlation]],
  fingerprint: ({ fingerprint }) => [['fingerprint', fingerprint]],
  time: ({ at }) => [
    ['from', new Date(at.getTime() - 12 * HOUR_MS).toISOString()],
    ['to', new Date(at.getTime() + 12 * HOUR_MS).toISOString()],
  ],
  words: ({ id, message }) => {
    const words = message.split(' ').filter((word) => word.length > 3);
    return [['q', words[Number.parseInt(id.slice(-4), 16) % words.length] ?? message]];
  },
};

function filterPath(event: EventRow, names: readonly string[]): string {
  return new URLSearchParams(names.flatMap((name) => FILTERS[name]?.(event) ?? [])).toString();
}

function subsetsOf(names: readonly string[]): string[][] {
  return Array.from({ length: 2 ** names.length }, (_, set) =>
    names.filter((_name, bit) => set & (1 << bit)),
  );
}

/** Each combination of the eight filters, three times with the values of another event. */
async function listEventRows(draw: () => Promise<EventRow>): Promise<ReadRow[]> {
  const reads: { filters: string; hasWords: boolean }[] = [];
  for (const names of subsetsOf(Object.keys(FILTERS)))
    for (let index = 0; index < DRAWS; index++)
      reads.push({ filters: filterPath(await draw(), names), hasWords: names.includes('words') });
  const row = (name: string, limit: number, hasWords: boolean, bars: ReadRow['bars']): ReadRow => ({
    name,
    paths: reads
      .filter((read) => read.hasWords === hasWords)
      .map(({ filters }) => `/events?limit=${limit}&${filters}`),
    bars,
  });
  return [
    row('events, limit 50, without words', 50, false, { '0.95': 20, '1': 150 }),
    row('events, limit 50, with words', 50, true, { '0.95': 100, '1': 300 }),
    row('events, limit 500, without words', 500, false, { '0.95': 60 }),
    row('events, limit 500, with words', 500, true, {}),
    {
      name: 'events of values that nothing has',
      paths: ['type', 'source', 'release', 'correlation_id', 'fingerprint', 'q'].flatMap((name) => [
        `/events?${name}=nowhere-at-all`,
        `/events?${name}=nowhere-at-all&severity=critical`,
      ]),
      bars: { '0.95': 100, '1': 300 },
    },
  ];
}

async function listCountRows(draw: () => Promise<EventRow>, endMs: number): Promise<ReadRow[]> {
  const rows: ReadRow[] = [];
  const ranges = [
    { name: '24 hours', hours: 24, histogramMs: 40, topMs: 60 },
    { name: '7 days', hours: 168, histogramMs: 60, topMs: 100 },
    { name: '30 days', hours: 720, histogramMs: 150, topMs: 200 },
  ];
  const to = new Date(endMs).toISOString();
  for (const { name, hours, histogramMs, topMs } of ranges) {
    const range = `from=${new Date(endMs - hours * HOUR_MS).toISOString()}&to=${to}`;
    const [histograms, tops]: string[][] = [[], []];
    for (const names of subsetsOf(['project', 'severity', 'type', 'source']))
      for (let index = 0; index < DRAWS; index++)
        histograms?.push(`/events/histogram?${range}&${filterPath(await draw(), names)}`);
    for (const names of subsetsOf(['project', 'severity']))
      for (let index = 0; index < DRAWS; index++) {
        const filters = filterPath(await draw(), names);
        for (const by of ['fingerprint', 'type', 'source'])
          tops?.push(`/events/top?by=${by}&${range}&${filters}`);
      }
    rows.push(
      { name: `histogram, ${name}`, paths: histograms ?? [], bars: { '0.95': histogramMs } },
      ...['type', 'source', 'fingerprint'].map((by) => ({
        name: `top by ${by}, ${name}`,
        paths: (tops ?? []).filter((path) => path.includes(`by=${by}`)),
        bars: { '0.95': topMs },
      })),
    );
  }
  return rows;
}

const repeat = (path: string) => Array.from({ length: REPEATS }, () => path);

function incidentRows(): ReadRow[] {
  const bars = { '0.95': 10 };
  return [
    { name: 'incidents that are open', paths: repeat('/incidents?status=open'), bars },
    {
      name: 'incidents that are open, the worst first',
      paths: repeat('/incidents?status=open&sort=severity'),
      bars,
    },
    { name: 'counts of incidents', paths: repeat('/incidents/counts'), bars },
    { name: 'incidents', paths: repeat('/incidents'), bars: { '0.95': 20 } },
    { name: 'incidents, limit 500', paths: repeat('/incidents?limit=500'), bars: { '0.95': 20 } },
  ];
}

/** A page far behind the first: its cursor is as good as one that was walked to. */
async function deepPage(get: Get, path: string): Promise<string> {
  let next = `${path}&limit=500`;
  for (let page = 0; page < 20; page++) {
    const following = (await get(next)).next;
    if (!following) break;
    next = following;
  }
  return next.replace('limit=500', 'limit=50');
}

async function listGroupRows(get: Get, newest: EventRow): Promise<ReadRow[]> {
  const [found] = (await get('/incidents?q=Errors')).body as { id: string; projectId: string }[];
  if (!found) throw new Error('There is no incident.');
  const [incident, project] = [`/incidents/${found.id}`, found.projectId];
  const groups = `/groups?project_id=${project}`;
  const group = ((await get(`${groups}&sort=last_seen`)).body as { id: string }[])[0]?.id;
  const reads: [string, string][] = [];
  const filters = {
    none: '',
    'state=open': '&state=open',
    'state=resolved': '&state=resolved',
    release: '&release=4.7.0',
    source: '&source=service-3',
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
    reads.push([`groups by ${sort}, page 20`, await deepPage(get, `${groups}&sort=${sort}`)]);
  }
  reads.push(
    ['groups of all projects', '/groups?limit=50'],
    ['groups of all projects, new', '/groups?is=new&sort=users'],
  );
  for (const words of ['charged', 'PaymentDeclined voucher', '54321', 'basket/stock.ts', 'nowhere-at-all'])
    reads.push([`groups by words: ${words}`, `${groups}&q=${encodeURIComponent(words)}`]);
  reads.push(
    ['a group', `/groups/${group}`],
    ['its events', `/groups/${group}/events`],
    ['its oldest event', `/groups/${group}/events?order=asc&limit=1`],
    ['its history', `/groups/${group}/history`],
    ['its incidents', `/groups/${group}/incidents`],
    ['an incident', incident],
    ['groups of an incident', `${incident}/groups`],
    ['releases', `/releases?project_id=${project}`],
  );
  const events = `/events?project_id=${project}`;
  for (const [name, filter] of [
    ['oldest first', '&order=asc'],
    ['of a release', '&release=4.7.0'],
    ['of a group', `&group_id=${group}`],
    ['of a user', '&correlation.user_id=usr_777'],
    ['of any value', `&correlation=${newest.correlation}`],
  ] as const)
    reads.push([`events ${name}`, `${events}${filter}`]);
  return reads.map(([name, path]) => ({ name, paths: repeat(path), bars: PAGE_BARS }));
}
