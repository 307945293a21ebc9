import { execFile } from 'node:child_process';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isoTime } from '../../src/platform/time.ts';
import { toDsn } from '../../src/tenancy/dsn.ts';
import { startTestService } from '../support/service.ts';
import { scaled } from '../support/time-scale.ts';
import { CLIENTS, type ForeignClient, type Recording, recordingFile } from './clients.ts';
import { recordResult } from './matrix.ts';
import { type ClientProject, createClientProject } from './project.ts';
import { startRecorder } from './recorder.ts';
import { byMessage, storedDeploys, storedEvents } from './stored.ts';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

const PROGRAM_LIMIT_MS = scaled(40_000);

/* `npm run test:clients`: fetches the clients from the registry, so it is no part of `npm test`. */
describe('clients of other systems', async () => {
  const directory = await makeScratchDirectory();
  const newest = path.join(directory, 'newest');
  const service = await startTestService({ own: true });
  const user = await service.signUp();
  const snippet = await readSnippet();

  beforeAll(async () => {
    await cp(path.join(ROOT, 'clients'), directory, { recursive: true });
    await cp(path.join(ROOT, 'clients/otlp'), path.join(newest, 'otlp'), { recursive: true });
    for (const cwd of [directory, newest])
      await execute('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd });
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it.for(CLIENTS)('stores what $name sends', async (client, { skip }) => {
    const { name, protocol, command = 'node', runtime = ['node', '--version'] } = client;
    const [program, ...parameters] = runtime;
    const found = await execute(program, parameters, { cwd: directory }).catch(() => null);
    skip(found === null, `${program} is not installed, or lacks the client.`);
    const at = isoTime(service.context.clock.now());
    const project = await createClientProject(user, client);
    const { url, requests } = await startRecorder(service, project, directory);
    const published = await readPublished(client);
    const row = {
      name,
      ...published,
      protocol,
      runtime: /^(\w+ )?[\w.]+/.exec(found?.stdout ?? '')?.[0] ?? '',
      date: at.slice(0, 10),
    };
    try {
      const [file, ...rest] = client.program;
      const { stdout } = await execute(command, [path.join(client.folder ?? '', file), ...rest], {
        cwd: directory,
        timeout: PROGRAM_LIMIT_MS,
        env: { ...environmentOf(url, project), ...hookOf(url, project, client), ...client.environment },
      });
      row.version ||= stdout.trim();
      await expectStored(client, project);
    } catch (error) {
      await recordResult({ ...row, result: 'failed' });
      throw error;
    }
    await recordResult({ ...row, result: 'passed' });
    const recording: Recording = { client: name, version: row.version, recordedAt: at, requests };
    await writeFile(recordingFile(name), `${JSON.stringify(recording, null, 2)}\n`);
  });

  /** Name and version of the package as it was published; a client of the system prints its version later. */
  async function readPublished({ name, package: module, folder }: ForeignClient) {
    if (module === null) return { client: name, version: '' };
    const file = path.join(directory, folder ?? '', 'node_modules', module, 'package.json');
    const published = JSON.parse(await readFile(file, 'utf8')) as { name: string; version: string };
    return { client: published.name, version: published.version };
  }

  function environmentOf(url: string, { apiKey, number, token, organizationId, id }: ClientProject) {
    const values = snippet.map(([variable, value]) => [
      variable,
      value
        .replace('http://localhost:4100', url)
        .replace('https://tsn_live_…@events.shop.example/7', toDsn(url, apiKey, number))
        .replace('https://tocsin.example.com', url)
        .replace('tsn_live_…', apiKey)
        .replace('tsn_pat_…', token)
        .replace('org_…', organizationId)
        .replace('proj_…', id),
    ]);
    return { PATH: process.env['PATH'], ...Object.fromEntries(values) };
  }

  async function expectStored({ events, deploys = [] }: ForeignClient, { id }: ClientProject): Promise<void> {
    expect(await storedEvents(user, id, events.length)).toMatchObject(events.toSorted(byMessage));
    expect(await storedDeploys(user, id, deploys.length)).toMatchObject(deploys);
  }
});

/** Variables of programs that are given a whole address. */
function hookOf(url: string, { apiKey, hookToken }: ClientProject, { hook }: ForeignClient) {
  return {
    INGEST_URL: url,
    API_KEY: apiKey,
    ...(hook && { HOOK_URL: `${url}/hooks/${hookToken}`, HOOK_SECRET: hook.secret }),
  };
}

/** Reads the variables that docs/integrations.md tells to set. */
async function readSnippet(): Promise<[variable: string, value: string][]> {
  const text = await readFile(path.join(ROOT, 'docs/integrations.md'), 'utf8');
  return [...text.matchAll(/^((?:OTEL|SENTRY)_\w+)=(\S+)$/gm)].map(([, variable = '', value = '']) => [
    variable,
    value,
  ]);
}
