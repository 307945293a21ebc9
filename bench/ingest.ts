import autocannon from 'autocannon';
import { createProject, startProgram, startService } from './support/processes.ts';

/*
 * Single events over HTTP at 64 connections: each is checked against the database for its key, committed
 * durably before its 202, and stored by the worker at the same time. Measured against a bare `node:http`
 * server that parses the body and answers 202, in turn, so that both see the same machine.
 */
const CONNECTIONS = 64;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const SECONDS = Number(process.env.SECONDS ?? 6);
const WARM_UP_SECONDS = 3;
const MAX_BACKLOG_MS = 1_000;

const EVENT = JSON.stringify({
  type: 'checkout',
  severity: 'INFO',
  message: 'Order 48213 was paid with card ending 4242',
  source: 'shop',
  correlation: { order_id: 'ord_48213', user_id: 'usr_77' },
  payload: { amount: 4200, currency: 'EUR', items: [{ sku: 'A-1', quantity: 2 }], express: true },
});

const bare = await startProgram(['bench/dist/bare-server.js'], /listening (\d+)/);
const service = await startService();
const project = await createProject(service.managementUrl);
const bareUrl = `http://127.0.0.1:${bare.match[1]}/ingest/events`;
const serviceUrl = `${service.ingestionUrl}/ingest/events`;

await load(bareUrl, WARM_UP_SECONDS);
await load(serviceUrl, WARM_UP_SECONDS);
const rounds: { yardstick: number; rate: number; ratio: number; backlogMs: number }[] = [];
for (let round = 1; round <= ROUNDS; round++) {
  const yardstick = await load(bareUrl, SECONDS);
  const measured = await load(serviceUrl, SECONDS);
  const backlogMs = await drain();
  rounds.push({
    yardstick: yardstick.rate,
    rate: measured.rate,
    ratio: measured.rate / yardstick.rate,
    backlogMs,
  });
  console.log(
    `round ${round}: bare ${Math.round(yardstick.rate)}/s, Tocsin ${Math.round(measured.rate)}/s ` +
      `(p50 ${measured.p50} ms, p99 ${measured.p99} ms), ratio ${(measured.rate / yardstick.rate).toFixed(3)}, ` +
      `backlog gone after ${backlogMs} ms`,
  );
}
const ledger = await project.ledger();
await service.stop();
await bare.stop();

const ratio = median(rounds.map((round) => round.rate)) / median(rounds.map((round) => round.yardstick));
const backlogMs = rounds.reduce((longest, round) => Math.max(longest, round.backlogMs), 0);
console.log(`ledger: ${JSON.stringify(ledger)}`);
console.log(`ratio of medians ${ratio.toFixed(3)}, longest backlog ${backlogMs} ms`);
if (ledger.stored !== ledger.accepted) throw new Error('Not everything that was accepted was stored.');
if (backlogMs >= MAX_BACKLOG_MS) throw new Error('The worker did not keep up.');

async function load(url: string, seconds: number) {
  const result = await autocannon({
    url,
    method: 'POST',
    connections: CONNECTIONS,
    duration: seconds,
    headers: { 'content-type': 'application/json', 'x-api-key': project.apiKey },
    body: EVENT,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} answers were no 2xx, ${result.errors} requests failed.`);
  }
  return { rate: result['2xx'] / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}

/** How long after the load the last accepted event is stored. */
async function drain(): Promise<number> {
  const endedAt = performance.now();
  for (;;) {
    const { queued } = await project.ledger();
    const waitedMs = Math.round(performance.now() - endedAt);
    if (queued === 0 || waitedMs > 60_000) return waitedMs;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function median(values: number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}
