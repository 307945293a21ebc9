import { databaseUrlOf } from './support/database.ts';
import { createProject, findFreePort, startProgram, startService } from './support/processes.ts';
import { startFlags } from './support/start-flags.ts';

/*
 * Strict revocation: two ingestion processes on one database under load, and a key that is made, used in both
 * and revoked, a thousand times. The first request after the revocation's answer must be 401 in both, and no
 * request that begins after it may be accepted.
 */
const ROUNDS = Number(process.env.ROUNDS ?? 1_000);
const SENDERS = 16;

const EVENT = JSON.stringify({ type: 'checkout', severity: 'INFO', message: 'Order 48213 was paid' });

const service = await startService();
const second = await startSecondIngestion();
const urls = [service.ingestionUrl, second.url] as const;
const project = await createProject(service.managementUrl);

const revoked = new Set<string>();
const counts = { accepted: 0, refused: 0, acceptedLate: 0, other: 0 };
let current = project.apiKey;
let running = true;
const startedAt = performance.now();
const load = Array.from({ length: SENDERS }, async (_, sender) => {
  while (running) {
    const key = sender % 2 === 0 ? project.apiKey : current;
    const wasRevoked = revoked.has(key);
    const status = await send(urls[sender % 3 === 0 ? 0 : 1], key);
    if (status === 202) counts.accepted++;
    else if (status === 401) counts.refused++;
    else counts.other++;
    if (wasRevoked && status === 202) counts.acceptedLate++;
  }
});

let firstAccepted = 0;
for (let round = 1; round <= ROUNDS; round++) {
  const created = await manage('POST', `/projects/${project.id}/api-keys`, 201);
  // The service of the same commit answers in its documented form.
  const { id, rawKey } = (await created.json()) as { id: string; rawKey: string };
  current = rawKey;
  for (const status of await Promise.all(urls.map((url) => send(url, rawKey)))) {
    if (status !== 202) throw new Error(`A valid key was answered ${status} in round ${round}.`);
  }
  await (await manage('DELETE', `/api-keys/${id}`, 204)).arrayBuffer();
  revoked.add(rawKey);
  for (const status of await Promise.all(urls.map((url) => send(url, rawKey)))) {
    if (status !== 401) firstAccepted++;
  }
}
running = false;
await Promise.all(load);
const seconds = (performance.now() - startedAt) / 1_000;
await second.stop();
await service.stop();

console.log(
  `${ROUNDS} rounds in ${seconds.toFixed(1)} s, two ingestion processes, ${SENDERS} senders: ` +
    `${counts.accepted} accepted, ${counts.refused} refused with 401, ${counts.other} other answers`,
);
console.log(
  `first requests after a revocation that were not 401: ${firstAccepted}; ` +
    `requests begun after a revocation and accepted: ${counts.acceptedLate}`,
);
if (firstAccepted + counts.acceptedLate + counts.other > 0) throw new Error('Revocation is not strict.');

async function send(url: string, key: string): Promise<number> {
  const response = await fetch(`${url}/ingest/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: EVENT,
  });
  await response.arrayBuffer();
  return response.status;
}

async function manage(method: string, address: string, expectedStatus: number): Promise<Response> {
  const response = await fetch(`${service.managementUrl}${address}`, {
    method,
    headers: { cookie: project.cookie },
  });
  if (response.status !== expectedStatus)
    throw new Error(`${method} ${address} was answered ${response.status}.`);
  return response;
}

/** A second process on the database of the first, outside or embedded. */
async function startSecondIngestion() {
  const port = await findFreePort();
  const databaseUrl = process.env.DATABASE_URL || (await databaseUrlOf(service.dataDirectory));
  const program = await startProgram(
    [...startFlags(), 'server/bin/tocsin.js', 'start', 'ingestion'],
    /Ingestion/,
    {
      INGEST_PORT: String(port),
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'warn',
    },
  );
  return { url: `http://127.0.0.1:${port}`, stop: program.stop };
}
