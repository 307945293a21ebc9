import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type FloodResult, flood, GENERATOR, post } from '../support/load.ts';
import { median, percentile } from '../support/median.ts';
import { Probe } from '../support/probe.ts';
import { createProject, startService } from '../support/processes.ts';
import { floodBare, readListenOverflows, watchConnections } from './connections.ts';
import { drain } from './drain.ts';
import { EVENT } from './event.ts';
import type { Options, Row } from './row.ts';

const PROJECTS = 3;
/** Connections of each project: 12,000 together, of 20,000 files that a process may commonly have open. */
const CONNECTIONS = 4_000;
const FLOOD_SECONDS = 30;
/** The rate that the flood is compared with is taken before and after it. */
const PEAK_CONNECTIONS = 256;
const PROBE_PAUSE_MS = 20;
const CALM_MS = 50;

/**
 * 12,000 connections of three projects send as fast as they are answered, while two probes send one event at a time over
 * connections of their own: one of a fourth project, and one of a flooding project, which sees its refusals.
 */
export async function measureOverload({ seconds, log }: Options): Promise<Row[] | { skipped: string }> {
  if (GENERATOR !== 'wrk') return { skipped: 'so many connections need wrk' };
  const service = await startService();
  const url = `${service.ingestionUrl}/ingest/events`;
  const projects = [];
  for (let index = 0; index < PROJECTS; index++) projects.push(await createProject(service.managementUrl));
  const quiet = await createProject(service.managementUrl);
  const [first] = projects;
  if (!first) throw new Error('There is no project.');
  const probe = new Probe({ url, apiKey: quiet.apiKey, body: EVENT });
  const noisyProbe = new Probe({ url, apiKey: first.apiKey, body: EVENT });
  const measurePeak = async () => {
    const load = { url, apiKey: first.apiKey, body: EVENT, connections: PEAK_CONNECTIONS, seconds };
    const { rate } = await post(load);
    await drain(first);
    return rate;
  };
  await measurePeak();
  const peaks = [await measurePeak()];

  for (const each of [probe, noisyProbe]) await each.send();
  const before = await Promise.all(projects.map(({ ledger }) => ledger()));
  const overflowsBefore = readListenOverflows();
  const connections = watchConnections(service.child.pid ?? 0, PROJECTS * CONNECTIONS);
  const ended = new AbortController();
  const probing = probe.repeat(PROBE_PAUSE_MS, ended.signal);
  const noisyProbing = noisyProbe.repeat(PROBE_PAUSE_MS, ended.signal);
  const floods = await Promise.all(
    projects.map(({ apiKey }) =>
      flood({ url, apiKey, body: EVENT, connections: CONNECTIONS, seconds: FLOOD_SECONDS }),
    ),
  );
  const { acceptedMs, memoryBytes } = connections.end();
  const recoveryMs = await waitForCalm(url, quiet.apiKey);
  ended.abort();
  const [quietProbed, noisyProbed] = [await probing, await noisyProbing];
  const overflows = readListenOverflows() - overflowsBefore;
  for (const project of projects) await drain(project);
  const after = await Promise.all(projects.map(({ ledger }) => ledger()));
  peaks.push(await measurePeak());
  for (const each of [probe, noisyProbe]) each.close();
  await service.stop();
  const bare = await floodBare(seconds, {
    floods: PROJECTS,
    connections: CONNECTIONS,
    peakConnections: PEAK_CONNECTIONS,
  });

  const sum = (field: keyof FloodResult) => floods.reduce((total, result) => total + result[field], 0);
  const [accepted, refused, broken] = [sum('accepted'), sum('refused'), sum('broken')];
  const rate = floods.reduce((total, result) => total + result.accepted / result.seconds, 0);
  const stored = after.reduce(
    (total, { stored: now }, index) => total + now - (before[index]?.stored ?? 0),
    0,
  );
  const own = noisyProbed.filter(({ status }) => status === 202).length;
  const refusals = [...quietProbed, ...noisyProbed].filter(({ status }) => status !== 202);
  const odd = refusals.filter(({ status }) => status !== 503 && status !== 429);
  const waits = quietProbed.map(({ elapsedMs }) => elapsedMs);
  const noisyWaits = noisyProbed.map(({ elapsedMs }) => elapsedMs);
  log(
    `overload: ${accepted} accepted, ${refused} refused, ${broken} connections broken; probe of a flooding project: ` +
      `p50 ${percentile(noisyWaits, 0.5).toFixed(0)} ms, p99 ${percentile(noisyWaits, 0.99).toFixed(0)} ms`,
  );
  if (odd.length > 0) throw new Error(`A probe was answered with ${odd[0]?.status}.`);
  const all = (PROJECTS * CONNECTIONS).toLocaleString('en-US');
  const peak = median(peaks);
  return [
    {
      what: `${all} connections of ${PROJECTS} projects, against the rate at ${PEAK_CONNECTIONS}`,
      value: rate / peak,
      unit: '',
      bar: { atLeast: 0.9 },
      detail: `${Math.round(rate)} of ${Math.round(peak)} accepted a second, ${FLOOD_SECONDS} s; ${refused} refused, ${broken} connections broken`,
    },
    {
      what: '… p99 of a fourth project, on a connection that stays open',
      value: percentile(waits, 0.99),
      unit: 'ms',
      bar: { atMost: 250 },
      detail: `${waits.length} samples, p50 ${percentile(waits, 0.5).toFixed(0)} ms, longest ${Math.max(...waits).toFixed(0)} ms`,
    },
    {
      what: '… longest wait for a refusal',
      value: Math.max(0, ...refusals.map(({ elapsedMs }) => elapsedMs)),
      unit: 'ms',
      bar: { atMost: 100 },
      detail: `${refusals.length} of ${quietProbed.length + noisyProbed.length} events of the probes were refused`,
    },
    {
      what: '… connections for which the listen queue had no room',
      value: overflows,
      unit: '',
      bar: { atMost: 0 },
      detail: `ListenOverflows of the kernel, net.core.somaxconn ${readFileSync('/proc/sys/net/core/somaxconn', 'utf8').trim()}`,
    },
    {
      what: '… until the last of them is accepted',
      value: acceptedMs,
      unit: 'ms',
      bar: null,
      detail: `bare node:http: ${bare.held} of them in ${seconds} s, ${bare.ratio.toFixed(2)} of its rate at ${PEAK_CONNECTIONS}, ${bare.overflows} without room`,
    },
    {
      what: '… largest resident memory of Node',
      value: memoryBytes / 1e6,
      unit: 'MB',
      bar: null,
      detail: 'of samples',
    },
    {
      what: '… until a new connection is answered as before',
      value: recoveryMs,
      unit: 'ms',
      bar: { atMost: 1_000 },
      detail: `the first answer within ${CALM_MS} ms`,
    },
    {
      what: '… acknowledged events that were not stored',
      value: Math.max(0, accepted + own - stored),
      unit: '',
      bar: { atMost: 0 },
      detail: `${stored.toLocaleString('en-US')} stored`,
    },
  ];
}

/** @returns milliseconds until an event on a new connection is accepted within a short time */
async function waitForCalm(url: string, apiKey: string): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const probe = new Probe({ url, apiKey, body: EVENT });
    const { status, elapsedMs } = await probe.send();
    probe.close();
    const waitedMs = performance.now() - startedAt;
    if (status === 202 && elapsedMs <= CALM_MS) return waitedMs;
    if (waitedMs > 60_000) throw new Error('The service is not as fast as before after a minute.');
    await delay(PROBE_PAUSE_MS);
  }
}
