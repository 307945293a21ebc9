import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { post } from '../support/load.ts';
import { median } from '../support/median.ts';
import { type BenchProject, createProject, startService } from '../support/processes.ts';
import { ROOT } from '../support/root.ts';
import { drain } from './drain.ts';
import { EVENT } from './event.ts';
import type { Options, Row } from './row.ts';

const CONNECTIONS = 64;
/** Longer than processes need to learn what a project chose. */
const WARM_UP_SECONDS = 6;
const MIN_SHARE = 0.97;

const SIDES = ['on', 'off'] as const;
type Side = (typeof SIDES)[number];

/** Accepting events of a project with the rules of default, in turn with one that switched all of them off. */
export async function measureScrubShare({ rounds, seconds, log }: Options): Promise<Row[]> {
  const service = await startService();
  const create = () => createProject(service.managementUrl);
  const projects = { on: await create(), off: await create() };
  await switchOff(service.managementUrl, projects.off);
  const accept = async (project: BenchProject, during = seconds) => {
    const url = `${service.ingestionUrl}/ingest/events`;
    const load = { url, apiKey: project.apiKey, body: EVENT, connections: CONNECTIONS, seconds: during };
    const { rate } = await post(load);
    await drain(project);
    return rate;
  };
  for (const side of SIDES) await accept(projects[side], WARM_UP_SECONDS);
  const measured: Record<Side, number>[] = [];
  for (let round = 0; round < rounds; round++) {
    const figure = { on: 0, off: 0 };
    // Each of them is the first in every other round: the table grows.
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed())
      figure[side] = await accept(projects[side]);
    measured.push(figure);
    log(`with scrubbing ${Math.round(figure.on)}/s, without ${Math.round(figure.off)}/s`);
  }
  await service.stop();
  const of = (side: Side) => Math.round(median(measured.map((round) => round[side])));
  return [
    {
      what: `Single events at ${CONNECTIONS} connections with scrubbing, against all rules off`,
      value: median(measured.map((round) => round.on / round.off)),
      unit: '×',
      bar: { atLeast: MIN_SHARE },
      detail: `${of('on')} against ${of('off')} a second, the same process`,
    },
  ];
}

/** Switches the rules off that find secrets. Those for personal data are off already. */
async function switchOff(managementUrl: string, { id, cookie }: BenchProject): Promise<void> {
  const url = `${managementUrl}/projects/${id}`;
  const headers = { cookie, 'content-type': 'application/json' };
  const { scrubbing } = (await (await fetch(url, { headers })).json()) as { scrubbing: object };
  const built = pathToFileURL(path.join(ROOT, 'server/dist/scrubbing/schema.js')).href;
  const rules = (await import(built)) as Record<'SCRUB_RULES' | 'PERSONAL_RULES', string[]>;
  const off = rules.SCRUB_RULES.filter((rule) => !rules.PERSONAL_RULES.includes(rule));
  const body = JSON.stringify({ scrubbing: { ...scrubbing, off } });
  const answer = await fetch(url, { method: 'PATCH', headers, body });
  if (!answer.ok) throw new Error(`Scrubbing was not switched off: ${await answer.text()}`);
}
