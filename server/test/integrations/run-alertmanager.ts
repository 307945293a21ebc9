import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { expect, it, onTestFinished } from 'vitest';
import { isoTime } from '../../src/platform/time.ts';
import { incidentsOf, notesOf } from '../alerts/support.ts';
import { findFreePort } from '../support/program.ts';
import { startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';
import { recordResult } from './matrix.ts';

/** Debian’s package prometheus-alertmanager, or the program that the variable names. */
const PROGRAM = process.env['ALERTMANAGER'] ?? 'prometheus-alertmanager';
const { status, stdout, stderr } = spawnSync(PROGRAM, ['--version'], { encoding: 'utf8' });
const isInstalled = status === 0;
const [, version = ''] = /version (\S+)/.exec(`${stdout}${stderr}`) ?? [];

const LABELS = { alertname: 'HighErrorRate', service: 'checkout', severity: 'critical', instance: 'shop-1' };

it.skipIf(!isInstalled)(
  'opens an incident for an alert of Alertmanager, and resolves it with the alert',
  async () => {
    const service = await startTestService({ own: true });
    const user = await service.signUp();
    const project = await user.createProject();
    const post = await startAlertmanager(`${service.ingestionUrl}/ingest/alertmanager`, project.apiKey);
    const alert = { labels: LABELS, annotations: { summary: '5% of checkouts fail' } };
    await post(alert);
    const [opened] = await incidentsOf(user, project, ({ length }) => length === 1);
    expect(opened).toMatchObject({
      title: 'HighErrorRate: 5% of checkouts fail',
      severity: 'critical',
      status: 'open',
      origin: 'alertmanager',
    });
    await post({ ...alert, endsAt: new Date(service.context.clock.now()).toISOString() });
    await incidentsOf(user, project, ([incident]) => incident?.status === 'resolved');
    expect(await notesOf(user, opened.id)).toEqual([
      'Alertmanager: “HighErrorRate: 5% of checkouts fail” fires.',
      'All alerts of Alertmanager are over. Resolved automatically.',
    ]);
    const { body: events } = await user.api.get(`/events?project_id=${project.id}`);
    expect(events).toHaveLength(2);
    await recordResult({
      name: 'alertmanager',
      client: 'Alertmanager',
      version,
      protocol: 'Alertmanager',
      runtime: '–',
      date: isoTime(service.context.clock.now()).slice(0, 10),
      result: 'passed',
    });
  },
);

/** Starts the program, which ends with the test. @returns a function that posts an alert to it */
async function startAlertmanager(url: string, key: string): Promise<(alert: object) => Promise<void>> {
  const directory = await makeScratchDirectory();
  const address = `127.0.0.1:${await findFreePort()}`;
  await writeFile(path.join(directory, 'alertmanager.yml'), configOf(url, key));
  const flags = {
    'config.file': path.join(directory, 'alertmanager.yml'),
    'storage.path': path.join(directory, 'data'),
    'web.listen-address': address,
    'cluster.listen-address': '',
  };
  const child: ChildProcess = spawn(
    PROGRAM,
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    { stdio: 'ignore' },
  );
  onTestFinished(async () => {
    child.kill();
    await rm(directory, { recursive: true, force: true });
  });
  await waitFor('Alertmanager to start', async () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return async (alert) => {
    const { ok } = await fetch(`http://${address}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([alert]),
    });
    expect(ok).toBe(true);
  };
}

/** The receiver of docs/integrations.md, with intervals for a test. */
function configOf(url: string, key: string): string {
  return `route:
  receiver: tocsin
  group_by: [alertname, service]
  group_wait: 1s
  group_interval: 1s
  repeat_interval: 1h
receivers:
  - name: tocsin
    webhook_configs:
      - url: ${url}
        http_config:
          authorization:
            credentials: ${key}
`;
}
