import { text } from 'node:stream/consumers';

/*
 * A process that keeps records in a spool, prints the id of each once it would be answered, and drains it. It kills itself at
 * the given call of a point, without any of what a process does at its end. With no point it prints `empty` at last.
 */
/** @param {string} file */
const built = (file) => import(new URL(`../../dist/${file}.js`, import.meta.url).href);
const { createPool } = await built('database/database');
const { ItemCounts } = await built('ingestion/intake/item-counts');
const { declareSpoolLoop } = await built('ingestion/spool/spool-loop');
const { Spool } = await built('ingestion/spool/spool');
const { createLog } = await built('platform/log');
const { createPostgresQueue } = await built('queue/postgres-queue');

const { connectionString, directory, nowMs, records, point, call } = JSON.parse(await text(process.stdin));
const calls = new Map();

/**
 * Kills the process if this is the planted place.
 * @param {string} name
 */
function reach(name) {
  calls.set(name, (calls.get(name) ?? 0) + 1);
  if (name === point && calls.get(name) === call) process.kill(process.pid, 'SIGKILL');
}

const clock = { now: () => nowMs };
const pool = createPool({
  connection: { connectionString },
  applicationName: 'spool',
  maxConnections: 2,
  onError() {},
});
const stored = createPostgresQueue({ pool, clock });
const queue = {
  append: stored.append,
  /**
   * @param {unknown[]} items
   * @param {(...outcome: unknown[]) => Promise<void>} settle
   */
  appendSpooled: (items, settle) => {
    reach('begin');
    return stored.appendSpooled(items, async (/** @type {unknown[]} */ ...outcome) => {
      await settle(...outcome);
      reach('settled');
    });
  },
};
const spool = new Spool({
  directory,
  clock,
  // A segment holds a few records, so that a process closes, drains and removes several of them.
  limits: { maxBytes: 1024 * 1024, maxPendingBytes: 1024 * 1024, segmentBytes: 2_000, minFreeBytes: 0 },
  readFreeBytes: async () => {
    reach('writing');
    return Number.MAX_SAFE_INTEGER;
  },
});
const { round } = declareSpoolLoop({
  spool,
  queue,
  pool,
  clock,
  log: createLog('silent'),
  counts: new ItemCounts(),
  countLive: () => (reach('batch'), 0),
  onCommit: () => reach('committed'),
});

for (const record of records) {
  await spool.append(record);
  reach('kept');
  process.stdout.write(`${record.item.claim.jobId}\n`);
}
while ((await round(new AbortController().signal)) === 'again') reach('removed');
process.stdout.write('empty\n');
await spool.close();
await pool.end();
