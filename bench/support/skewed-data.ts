import { Random } from '@tocsin/simulation/random';

/*
 * The data of the read benchmarks: projects by Zipf's law, groups that differ as much in their events, days and nights.
 * Drawn with a fixed seed, so each run at the same size reads the same rows.
 */

export interface SkewedSize {
  events: number;
  groups: number;
  incidents: number;
}

export const DAYS = 30;
export const PROJECTS = 100;
const PROJECT_EXPONENT = 1.1;
/** Returns true for one in five projects, which belong to another organization than the one that is measured. */
export const isOfOther = (project: number) => project % 5 === 4;
/** The largest project has this share of all groups: a list of one project has about as many as one of all. */
const GROUPS_OF_FIRST = 0.5;
/** Share of the groups of a project that has nine in ten of its events, the n-th of them as 1 / n. */
const BUSY = 0.01;
const BUSY_EVENTS = 0.9;
const TYPES = 12;
const SOURCES = 5;
const RELEASES = 50;
/** Each order has about so many events. */
const EVENTS_OF_ORDER = 5;
const USERS = 50_000;
const DAY_MS = 86_400_000;
/** Share of a day by which day and night shift the times: between them the rate differs by four times. */
const DAYLIGHT = 0.1;

const NOUNS = [
  'order',
  'invoice',
  'payment',
  'basket',
  'customer',
  'voucher',
  'shipment',
  'refund',
  'session',
  'stock',
];
const ERRORS = ['TypeError', 'TimeoutError', 'PaymentDeclined', 'ConnectionRefused', 'ValidationError'];
const VERBS = ['read', 'written', 'sent', 'found', 'charged'];
const pick = (list: readonly string[], of: number) => list[of % list.length] ?? '';

/** The groups of each project: those with the numbers from `first` to before `end`. */
interface GroupRange {
  first: number;
  end: number;
}

const WEIGHTS = Array.from({ length: PROJECTS }, (_, index) => 1 / (index + 1) ** PROJECT_EXPONENT);

function rangesOfGroups(groups: number): GroupRange[] {
  const rest = WEIGHTS.slice(1).reduce((sum, weight) => sum + weight, 0);
  const ranges: GroupRange[] = [];
  let first = 1;
  for (const [project, weight] of WEIGHTS.entries()) {
    const share = project === 0 ? GROUPS_OF_FIRST : ((1 - GROUPS_OF_FIRST) * weight) / rest;
    const end = first + Math.max(1, Math.floor(groups * share));
    ranges.push({ first, end });
    first = end;
  }
  return ranges;
}

/** Returns the properties of the group with the number `n` among those of all projects. */
function groupOf(n: number) {
  const mixed = Math.imul(n, 0x9e3779b1) >>> 0;
  const place = mixed % 40;
  const severity = place < 28 ? 'info' : place < 34 ? 'warn' : place < 39 ? 'error' : 'critical';
  const title = (number: number) =>
    `${pick(ERRORS, n)}: the ${pick(NOUNS, mixed >>> 7)} ${number} of a ${pick(NOUNS, mixed >>> 11)} could not be ${pick(VERBS, mixed >>> 15)}`;
  return {
    id: `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`,
    fingerprint: n.toString(16).padStart(16, '0'),
    type: `type-${(mixed >>> 6) % TYPES}`,
    source: `service-${(mixed >>> 10) % SOURCES}`,
    release: `4.${n % RELEASES}.0`,
    severity,
    title,
    culprit: `src/${pick(NOUNS, mixed >>> 5)}/${pick(NOUNS, mixed >>> 13)}.ts in step${n % 400}`,
  };
}

const RELEASED = Array.from({ length: RELEASES }, (_, index) => ({
  version: `4.${index}.0`,
  age: RELEASES - index,
}));
export const releasesOf = () => RELEASED;

export interface Place {
  organizationId: string;
  projectId: string;
}

export const EVENT_COLUMNS =
  'id, organization_id, project_id, received_at, severity, type, source, message, correlation_id, fingerprint, fingerprint_version, release, correlation, payload';

/** Lines of COPY in the order of time, which ends at `nowMs`. */
export function* eventLines(
  { events, groups }: SkewedSize,
  places: readonly Place[],
  nowMs: number,
): Generator<string> {
  const random = new Random(1);
  const ranges = rangesOfGroups(groups);
  const total = WEIGHTS.reduce((sum, weight) => sum + weight, 0);
  const drawProject = () => {
    let left = random.uniform() * total;
    const found = WEIGHTS.findIndex((weight) => (left -= weight) < 0);
    return found < 0 ? 0 : found;
  };
  for (let index = 0; index < events; index++) {
    const days = (index / events) * DAYS;
    const ms = Math.floor(nowMs - DAYS * DAY_MS + (days + DAYLIGHT * Math.sin(2 * Math.PI * days)) * DAY_MS);
    const project = drawProject();
    const place = places[project];
    const range = ranges[project];
    if (!place || !range) throw new Error(`Project ${project} has no place.`);
    const size = range.end - range.first;
    const rank =
      random.uniform() < BUSY_EVENTS
        ? Math.floor(Math.max(1, size * BUSY) ** random.uniform())
        : 1 + Math.floor(random.uniform() * size);
    const group = groupOf(range.first + Math.min(rank, size) - 1);
    const order = Math.floor((random.uniform() * events) / EVENTS_OF_ORDER);
    const tail = Math.floor(random.uniform() * 2 ** 48)
      .toString(16)
      .padStart(12, '0');
    const id = `${ms.toString(16).padStart(12, '0')}7${tail.slice(0, 3)}a${tail.slice(0, 6)}${tail.slice(3)}`;
    const at = new Date(ms + 40).toISOString();
    yield `${id}\t${place.organizationId}\t${place.projectId}\t${at}\t${group.severity}\t${group.type}\t${group.source}\t${group.title(order)}\tord_${order}\t${group.fingerprint}\t2\t${group.release}\t{"order_id":"ord_${order}","user_id":"usr_${order % USERS}"}\t{"cart":{"id":${order % 1000},"total":12.5}}\n`;
  }
}

export const GROUP_COLUMNS =
  'id, organization_id, project_id, number, fingerprint, title, culprit, type, source, severity, state, count, users, first_seen, last_seen, first_release, last_release, regressed_at, assignee_id';

/** Lines of COPY; what a group counts need not agree with its events. */
export function* groupLines(
  { groups }: SkewedSize,
  places: readonly Place[],
  { nowMs, userId }: { nowMs: number; userId: string },
): Generator<string> {
  const random = new Random(2);
  const ago = (days: number) => new Date(nowMs - days * DAY_MS).toISOString();
  for (const [project, { first, end }] of rangesOfGroups(groups).entries()) {
    const place = places[project];
    if (!place) throw new Error(`Project ${project} has no place.`);
    for (let n = first; n < end; n++) {
      const { id, fingerprint, type, source, release, severity, title, culprit } = groupOf(n);
      const state = n % 50 === 1 ? 'muted' : n % 50 < 6 ? 'resolved' : 'open';
      const count = 1 + Math.floor(random.uniform() ** 6 * 100_000);
      const users = Math.floor(random.uniform() ** 5 * 1_001);
      const [firstSeen, lastSeen] = [random.uniform() * 90, random.uniform() ** 2 * 6];
      const regressedAt = n % 100 === 7 ? ago(random.uniform() * 5) : '\\N';
      yield `${id}\t${place.organizationId}\t${place.projectId}\t${n - first + 1}\t${fingerprint}\t${title(n)}\t${culprit}\t${type}\t${source}\t${severity}\t${state}\t${count}\t${users}\t${ago(Math.max(firstSeen, lastSeen))}\t${ago(lastSeen)}\t${release}\t${release}\t${regressedAt}\t${n % 1000 === 9 ? userId : '\\N'}\n`;
    }
  }
}
