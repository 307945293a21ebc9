import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Half } from '@tocsin/simulation/random';
import { evaluateCost } from './risk/cost.ts';
import { evaluateNab } from './risk/nab.ts';
import { replaceTables } from './risk/notes.ts';
import { evaluateNoufaily } from './risk/noufaily.ts';
import { evaluateNullStreams } from './risk/null-streams.ts';
import { evaluateOneCause } from './risk/one-cause.ts';
import { evaluatePayments } from './risk/payments.ts';
import { evaluateRamps } from './risk/ramps.ts';
import { evaluateReleases } from './risk/releases.ts';
import { evaluateRules } from './risk/rules/evaluate-rules.ts';
import { evaluateScenarios } from './risk/scenarios.ts';
import { evaluateServices } from './risk/services.ts';
import { evaluateShifts } from './risk/shifts.ts';
import { printedTables } from './risk/table.ts';
import { evaluateTrouble } from './risk/trouble.ts';
import { evaluateTwoCauses } from './risk/two-causes.ts';
import { evaluateWrongMerges } from './risk/wrong-merges.ts';
import { ROOT } from './support/root.ts';

/*
 * The figures of packages/detector/LAB.md: what the production detector opens where nothing is wrong, and what it finds where
 * something is. Without options it takes minutes; --projects 2 is a short run. --part names some of the parts, --write puts the tables
 * into packages/detector/LAB.md, each in place of the one with the same head.
 */
const PARTS = [
  'cost',
  'nab',
  'null',
  'trouble',
  'shifts',
  'ramps',
  'merges',
  'noufaily',
  'services',
  'rules',
  'scenarios',
  'payments',
  'releases',
];
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    part: { type: 'string', multiple: true },
    projects: { type: 'string', default: '20' },
    budget: { type: 'string', multiple: true },
    scenario: { type: 'string', multiple: true },
    seeds: { type: 'string' },
    // `step`: lengths in minutes of the part `rules`.
    step: { type: 'string', multiple: true, default: [] },
    write: { type: 'boolean', default: false },
    tune: { type: 'boolean', default: false },
    // `stream`: parts of the names of null streams. `list`: prints each incident of these and of scenarios.
    stream: { type: 'string', multiple: true, default: [] },
    list: { type: 'boolean', default: false },
    threads: { type: 'string', default: '1' },
  },
});
const projects = Number(values.projects);
const half: Half = values.tune ? 'tune' : 'report';
const parts = values.part ?? PARTS;
for (const part of parts) {
  if (!PARTS.includes(part)) throw new Error(`Parts are ${PARTS.join(', ')}.`);
}
const budgets = (values.budget ?? ['5', '1', '0.2']).map(Number);

console.log(`Seeds of the ${half} half.`);
if (parts.includes('cost')) await evaluateCost();
if (parts.includes('nab')) await evaluateNab(values.data ?? null, values.budget?.map(Number) ?? [2, 1, 0.5]);
if (parts.includes('null')) {
  const { stream: streams, list: isListed } = values;
  await evaluateNullStreams({ budgets, projects, half, streams, threads: Number(values.threads), isListed });
}
if (parts.includes('trouble')) evaluateTrouble({ projects, half });
if (parts.includes('shifts')) evaluateShifts({ projects, half });
if (parts.includes('ramps')) evaluateRamps({ projects, half });
if (parts.includes('merges')) {
  // Each takes two weeks of two projects.
  const few = Number(values.seeds ?? 3);
  evaluateOneCause({ projects: few, half });
  evaluateTwoCauses({ projects: few, half });
  evaluateWrongMerges({ projects, half });
}
if (parts.includes('noufaily')) evaluateNoufaily({ runs: projects, half });
if (parts.includes('services')) evaluateServices({ projects, half });
if (parts.includes('rules'))
  evaluateRules({ seeds: Number(values.seeds ?? 6), steps: values.step.map(Number) });
if (parts.includes('scenarios')) {
  const { scenario: ids = null, list: isListed } = values;
  evaluateScenarios({ seeds: Number(values.seeds ?? 3), half, ids, isListed });
}
if (parts.includes('payments')) evaluatePayments({ seeds: Number(values.seeds ?? 20), half });
if (parts.includes('releases')) evaluateReleases({ projects, half });
if (values.write) {
  const file = path.join(ROOT, 'packages/detector/LAB.md');
  const { notes, withoutPlace } = replaceTables(readFileSync(file, 'utf8'), printedTables);
  writeFileSync(file, notes);
  for (const title of withoutPlace) console.error(`Not written, no single table has its head: ${title}`);
}
