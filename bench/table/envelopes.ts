import { readCpu } from '../support/cpu.ts';
import { post, UNIQUE_ID } from '../support/load.ts';
import { median } from '../support/median.ts';
import { createProject, startService } from '../support/processes.ts';
import { drain } from './drain.ts';
import type { Options, Row } from './row.ts';

const CONNECTIONS = 64;
const WARM_UP_SECONDS = 3;

/**
 * Envelopes of one event each, as @sentry/node sends them: each claims an id of its own, is committed durably before its
 * 200, and is stored by the worker at the same time.
 */
export async function measureEnvelopes({ rounds, seconds, log }: Options): Promise<Row[]> {
  const service = await startService();
  const project = await createProject(service.managementUrl);
  const { apiKey, number } = project;
  const url = `${service.ingestionUrl}/api/${number}/envelope/?sentry_version=7&sentry_key=${apiKey}`;
  const load = (during: number) =>
    post({ url, apiKey, body: makeEnvelope(), connections: CONNECTIONS, seconds: during });
  const cpu = () => readCpu(service.child.pid ?? 0, service.dataDirectory);
  await load(WARM_UP_SECONDS);
  await drain(project);

  const measured: { rate: number; p99Ms: number; micros: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = cpu();
    const { rate, accepted, p99Ms } = await load(seconds);
    const backlogMs = await drain(project);
    const after = cpu();
    const micros = (after.node - before.node + after.postgres - before.postgres) / accepted;
    measured.push({ rate, p99Ms, micros });
    log(
      `envelopes: ${Math.round(rate)}/s (p99 ${p99Ms.toFixed(1)} ms, backlog gone after ${Math.round(backlogMs)} ms, ` +
        `${micros.toFixed(1)} µs of CPU an event)`,
    );
  }
  const { accepted } = await project.ledger();
  await service.stop();
  const of = (field: 'rate' | 'p99Ms' | 'micros') => median(measured.map((round) => round[field]));
  return [
    {
      what: `Envelopes of one event at ${CONNECTIONS} connections, a second`,
      value: of('rate'),
      unit: '',
      bar: { atLeast: 4_000 },
      detail: `all ${accepted.toLocaleString('en-US')} accepted were stored`,
    },
    {
      what: '… CPU of all processes, an event',
      value: of('micros'),
      unit: 'µs',
      bar: null,
      detail: `${rounds} rounds`,
    },
    { what: '… p99', value: of('p99Ms'), unit: 'ms', bar: null, detail: 'median of the rounds' },
  ];
}

/** Returns the envelope of an error with its cause, frames and lines of source. */
function makeEnvelope(): string {
  const context = Array.from({ length: 5 }, (_, line) => `  const total${line} = await order.sum(${line});`);
  const frames = Array.from({ length: 10 }, (_, index) => ({
    filename: index < 6 ? `/app/node_modules/express/lib/router/layer${index}.js` : `/app/src/pay${index}.js`,
    function: `handle${index}`,
    lineno: 100 + index,
    colno: 9,
    in_app: index >= 6,
    ...(index >= 6 && { pre_context: context, context_line: '  charge(card);', post_context: context }),
  }));
  const event = {
    event_id: UNIQUE_ID,
    exception: {
      values: [
        { type: 'TypeError', value: 'card is undefined', stacktrace: { frames } },
        { type: 'Error', value: 'Payment failed', stacktrace: { frames } },
      ],
    },
    level: 'error',
    platform: 'node',
    contexts: { runtime: { name: 'node', version: 'v20.20.2' }, os: { name: 'Debian GNU/Linux' } },
    server_name: 'pod-7f9c',
    environment: 'production',
    release: 'shop@1.4.2',
    user: { id: 'usr_77' },
    tags: { region: 'eu' },
  };
  return `${JSON.stringify({ event_id: UNIQUE_ID })}\n{"type":"event"}\n${JSON.stringify(event)}\n`;
}
