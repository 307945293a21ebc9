import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, it } from 'vitest';
import { toDsn } from '../../src/tenancy/dsn.ts';
import { createDsnProject } from '../ingestion/envelopes/support.ts';
import { atEnd } from '../support/at-end.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { bundleOf, uploadBundle } from './bundle.ts';

const SENTRY = createRequire(import.meta.url).resolve('@sentry/node');

/** The module with the error, the same in both builds. */
const PAY = `export interface Card {
  number?: string;
}

export function chargeCard(card: Card, order: number): string {
  if (card.number === undefined) throw new RangeError(\`Order \${order} has a card without a number\`);
  return card.number;
}
`;
const PAY_LINE = 6;

const programOf = (order: number, first: string) => `${first}
import { createRequire } from 'node:module';
import { chargeCard } from './pay.ts';
const sentry = createRequire(process.argv[2])(process.argv[2]);
sentry.init({ release: 'shop@${order}' });
export function checkOut(order: number) {
  console.log(chargeCard({}, order), order);
}
try {
  checkOut(${order});
} catch (error) {
  sentry.captureException(error);
}
await sentry.close(8_000);
`;
/** Its code comes before the rest and takes the names that a minifier would give to it. */
const AUDIT = `
export function audit(user: string) {
  return process.emit('audit', user);
}
export const audited = [audit('first'), audit('second'), audit('third')];
`;

interface Build {
  /** Path of the built file. */
  file: string;
  debugId: string;
  map: Buffer;
}

/** Builds a program, with a debug id as the plugins of bundlers write it into the file. */
async function build(entry: string): Promise<Build> {
  const debugId = randomUUID();
  const bundle = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' });
  const { output } = await bundle.write({
    dir: path.dirname(entry),
    entryFileNames: 'shop.[hash].mjs',
    minify: true,
    sourcemap: true,
    banner: `{const e=globalThis;e._sentryDebugIds={[new e.Error().stack]:"${debugId}"}}`,
  });
  await bundle.close();
  const file = path.join(path.dirname(entry), output[0].fileName);
  return { file, debugId, map: await readFile(`${file}.map`) };
}

it('groups the errors of two builds of a program, and maps each by the map of its build to the same line', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const project = await createDsnProject(service, user);
  const directory = await mkdtemp(path.join(tmpdir(), 'tocsin-builds-'));
  atEnd(() => rm(directory, { recursive: true }));
  const sources = {
    'pay.ts': PAY,
    'audit.ts': AUDIT,
    'first.ts': programOf(17, ''),
    'second.ts': programOf(4_242, `import { audited } from './audit.ts';\nconsole.log(audited);`),
  };
  for (const [name, text] of Object.entries(sources)) await writeFile(path.join(directory, name), text);
  const builds = [
    await build(path.join(directory, 'first.ts')),
    await build(path.join(directory, 'second.ts')),
  ];
  const dsn = toDsn(service.ingestionUrl, project.apiKey, project.number);
  for (const { file, debugId, map } of builds) {
    await uploadBundle(user.api, user.organizationId, bundleOf({ [debugId]: map }), [project.id]);
    await promisify(execFile)(process.execPath, [file, SENTRY], { env: { SENTRY_DSN: dsn } });
  }

  const events = await waitFor('mapped frames', async () => {
    const read = await project.events(2);
    return read.every(({ frames }) => frames[0].file === 'pay.ts') ? read : null;
  });
  const [second, first] = events.map(({ payload }) => payload.frames[0]);
  for (const part of ['file', 'column', 'function']) expect(first[part]).not.toBe(second[part]);
  expect([first.file, second.file]).toEqual(builds.map(({ file }) => file));
  for (const { frames } of events) {
    expect(frames[0]).toMatchObject({ function: 'chargeCard', file: 'pay.ts', line: PAY_LINE });
    expect(frames[0].context.lines).toContain(PAY.split('\n')[PAY_LINE - 1]);
  }
  const { body: groups } = await user.api.get(`/groups?project_id=${project.id}`);
  expect(groups).toMatchObject([{ count: 2, culprit: 'chargeCard in pay.ts' }]);
});
