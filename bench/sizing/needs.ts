/*
 * Computes the needs of an installation from the constants that `npm run bench -- --part constants` measures. Both tables stand
 * in docs/sizing.md; the second is computed from the figures of the first as they are printed there.
 */

/** The costs of an event that is sent alone, or in a bulk body, by the names of their rows. */
const PATHS = {
  'by itself': {
    intakeNode: 'Intake of an event by itself: CPU of ingestion’s Node',
    intakePostgres: '… by itself: CPU of PostgreSQL',
    storeNode: '… by itself, stored: CPU of the worker’s Node',
    storeBackend: '… by itself, stored: CPU of the worker’s backend',
    storePostgres: '… by itself, stored: CPU of all of PostgreSQL',
    wal: '… by itself: write-ahead log, with the queue',
  },
  'in bodies of 500': {
    intakeNode: 'Intake of an event of a body of 500: CPU of ingestion’s Node',
    intakePostgres: '… of a body of 500: CPU of PostgreSQL',
    storeNode: '… of a body of 500, stored: CPU of the worker’s Node',
    storeBackend: '… of a body of 500, stored: CPU of the worker’s backend',
    storePostgres: '… of a body of 500, stored: CPU of all of PostgreSQL',
    wal: '… of a body of 500: write-ahead log, with the queue',
  },
} as const;

export type PathName = keyof typeof PATHS;
/** CPU in µs, log in bytes, each for one event. */
export type PathCost = Record<keyof (typeof PATHS)[PathName], number>;

/** Returns the names of the rows of a path. */
export const namesOf = (path: PathName): Record<keyof PathCost, string> => PATHS[path];

/** Bytes of an event of many kinds, indexes and counts included: `npm run bench -- --part growth`, 10.2 M events. */
const DISK_BYTES = 1_024;
/** Retentions in days; a partition more is kept, a week. */
const RETENTIONS = [15, 90] as const;
const PARTITION_DAYS = 7;
/** Cores, processes and backends are busy for half of the time: the rest is for peaks, reads and detection. */
const BUSY = 0.5;
const RATES = [1_000, 10_000, 100_000, 1_000_000] as const;

const HEADER = `| Events a second (a day) | Sent | Ingestion | Backends that store | Workers’ Node | PostgreSQL | Log | ${RETENTIONS.map((days) => `Disk, ${days} days`).join(' | ')} |
|---|---|---|---|---|---|---|${RETENTIONS.map(() => '---|').join('')}`;

/**
 * Computes the table of needs.
 * @param constants table of constants, as it is printed
 * @throws where it has no row of a constant
 */
export function tableOfNeeds(constants: string): string {
  const rows = RATES.flatMap((rate) =>
    (['by itself', 'in bodies of 500'] as const).map((path) => rowOf(rate, path, readCosts(constants, path))),
  );
  return [HEADER, ...rows].join('\n');
}

function rowOf(rate: number, path: PathName, cost: PathCost): string {
  /** Returns the cores that are half busy with so many µs an event. */
  const cores = (micros: number) => (rate * micros) / 1e6 / BUSY;
  const cells = [
    `${whole(rate)} (${perDay(rate)})`,
    path,
    count(cores(cost.intakeNode), 'process', 'processes'),
    whole(Math.ceil(cores(cost.storeBackend))),
    count(cores(cost.storeNode), 'core', 'cores'),
    count(cores(cost.intakePostgres + cost.storePostgres), 'core', 'cores'),
    `${digits((rate * cost.wal) / 1e6)} MB/s`,
    ...RETENTIONS.map((days) => `${digits((rate * DAY_S * (days + PARTITION_DAYS) * DISK_BYTES) / 1e12)} TB`),
  ];
  return `| ${cells.join(' | ')} |`;
}

const DAY_S = 86_400;

/** @throws where a row is missing */
function readCosts(constants: string, path: PathName): PathCost {
  const costs = Object.entries(PATHS[path]).map(([name, what]) => {
    const line = constants.split('\n').find((one) => one.startsWith(`| ${what} | `));
    const figure = /^\| .* \| ([\d.,]+) (?:µs|B) \|/.exec(line?.replace(what, 'x') ?? '')?.[1];
    if (figure === undefined) throw new Error(`There is no row "${what}".`);
    return [name, Number(figure.replaceAll(',', ''))];
  });
  // It has each name of the path.
  return Object.fromEntries(costs) as PathCost;
}

const whole = (value: number) => value.toLocaleString('en-US');

function count(value: number, one: string, many: string): string {
  const full = Math.ceil(value);
  return `${whole(full)} ${full === 1 ? one : many}`;
}

function perDay(rate: number): string {
  const events = rate * DAY_S;
  return events < 1e9 ? `${digits(events / 1e6)} M` : `${digits(events / 1e9)} G`;
}

/** Formats two digits: the constants have no more. */
function digits(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en-US');
}
