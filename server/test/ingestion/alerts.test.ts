import { describe, expect, it } from 'vitest';
import { ApiClient } from '../support/client.ts';
import { StillClock } from '../support/clock.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService, type TestProject } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

const clock = new StillClock();
const at = (minutes: number) => new Date(clock.now() + minutes * 60_000).toISOString();
const NEVER = '0001-01-01T00:00:00Z';

const anAlert = (changes: Record<string, unknown> = {}) => ({
  status: 'firing',
  labels: { alertname: 'DiskFull', service: 'shop', severity: 'critical', instance: 'db-1' },
  annotations: { summary: 'The disk of db-1 is full' },
  startsAt: at(-1),
  endsAt: NEVER,
  generatorURL: 'http://prometheus.example/graph',
  fingerprint: 'f1',
  ...changes,
});
const notify = (...alerts: Record<string, unknown>[]) => ({
  version: '4',
  groupKey: '{}:{alertname="DiskFull"}',
  truncatedAlerts: 0,
  status: 'firing',
  alerts,
});

describe('alerts of Alertmanager and Grafana', async () => {
  const service = await startTestService({ own: true, clock });
  const user = await service.signUp();
  const eventsOf = async ({ id }: TestProject, count: number) =>
    waitFor(`${count} events`, async () => {
      const { body } = await user.api.get(`/events?project_id=${id}`);
      return body.length >= count && body.toReversed();
    });

  it.each(['Bearer KEY', 'bearer  KEY', 'Basic :KEY', 'Basic alertmanager:KEY'])(
    'takes the key in the header Authorization as %s',
    async (pattern) => {
      const { apiKey } = await user.createProject();
      const [scheme = '', value = ''] = pattern.replace('KEY', apiKey).split(/ (?=\S+$)/);
      const credentials = scheme === 'Basic' ? Buffer.from(value).toString('base64') : value;
      const api = new ApiClient(service.ingestionUrl, { authorization: `${scheme} ${credentials}` });
      const answer = await api.post('/ingest/alertmanager', notify(anAlert()));
      expect([answer.status, answer.body]).toEqual([202, { status: 'queued', events: 1, repeats: 0 }]);
      expectProblem(await api.post('/ingest/events', {}), 'invalid_api_key');
    },
  );

  it('refuses a wrong key, and a known one once it is revoked', async () => {
    const project = await user.createProject();
    const wrong = new ApiClient(service.ingestionUrl, { authorization: 'Bearer tsn_live_wrong' });
    expectProblem(await wrong.post('/ingest/alertmanager', notify(anAlert())), 'invalid_api_key');
    const bearer = new ApiClient(service.ingestionUrl, { authorization: `Bearer ${project.apiKey}` });
    expect((await bearer.post('/ingest/grafana', notify(anAlert()))).status).toBe(202);
    const [key] = (await user.api.get(`/projects/${project.id}/api-keys`)).body;
    await user.api.delete(`/api-keys/${key.id}`);
    for (const alerts of [[anAlert()], [anAlert({ fingerprint: 'f2' })], []])
      expectProblem(await bearer.post('/ingest/grafana', notify(...alerts)), 'invalid_api_key');
  });

  it.each([
    ['POST', '/ingest/alertmanager'],
    ['POST', '/ingest/alertmanager/'],
    ['POST', '/ingest/grafana'],
    ['PUT', '/ingest/grafana/'],
  ])('answers %s %s itself, with no redirect', async (method, path) => {
    const { ingest } = await user.createProject();
    expect((await ingest.request(method, path, { body: notify(anAlert()) })).status).toBe(202);
  });

  it('stores each alert of a group by its own status, with its words, labels and time', async () => {
    const project = await user.createProject();
    const resolved = anAlert({
      status: 'resolved',
      fingerprint: 'f2',
      startsAt: at(-9),
      endsAt: at(-2),
      labels: { alertname: 'DiskFull', job: 'node', severity: 'warning' },
      annotations: { description: 'The disk of db-2 is full' },
    });
    await project.ingest.post('/ingest/alertmanager', notify(anAlert(), resolved));
    expect(await eventsOf(project, 2)).toMatchObject([
      {
        type: 'DiskFull',
        severity: 'info',
        source: 'node',
        message: 'Resolved: The disk of db-2 is full',
        capturedAt: at(-2),
      },
      {
        type: 'DiskFull',
        severity: 'critical',
        source: 'shop',
        message: 'The disk of db-1 is full',
        correlation: { service: 'shop', instance: 'db-1' },
        capturedAt: at(-1),
      },
    ]);
  });

  it('stores nothing of repeats, and a new event for a new start, whatever the sender and the order', async () => {
    const project = await user.createProject();
    const send = async (...alerts: Record<string, unknown>[]) =>
      (await project.ingest.post('/ingest/alertmanager', notify(...alerts))).body;
    const second = anAlert({ fingerprint: 'f2' });
    const over = anAlert({ status: 'resolved', endsAt: at(0) });
    expect(await send(anAlert())).toMatchObject({ events: 1, repeats: 0 });
    expect(await send(anAlert(), second, second)).toMatchObject({ events: 1, repeats: 2 });
    expect(await send(second, anAlert())).toMatchObject({ events: 0, repeats: 2 });
    expect(await send(over, second)).toMatchObject({ events: 1, repeats: 1 });
    expect(await send(over, anAlert())).toMatchObject({ events: 0, repeats: 2 });
    expect(await send(anAlert({ startsAt: at(1) }))).toMatchObject({ events: 1, repeats: 0 });
    expect(await eventsOf(project, 4)).toHaveLength(4);
  });

  it('takes the time of receipt for an alert that began longer ago than an event may', async () => {
    const project = await user.createProject();
    await project.ingest.post('/ingest/alertmanager', notify(anAlert({ startsAt: at(-60 * 24 * 30) })));
    expect(await eventsOf(project, 1)).toMatchObject([{ capturedAt: at(0), receivedAt: at(0) }]);
  });

  it('shows the test of a contact point as information, and says that a rule has no data', async () => {
    const project = await user.createProject();
    const test = anAlert({ labels: { alertname: 'TestAlert', instance: 'Grafana' }, fingerprint: 't' });
    const noData = anAlert({ labels: { alertname: 'DatasourceNoData', rulename: 'CPU' }, fingerprint: 'n' });
    await project.ingest.put('/ingest/grafana', { ...notify(test, noData), version: '1' });
    const events = await eventsOf(project, 2);
    const severities = Object.fromEntries(
      events.map(({ type, severity, message }: Record<string, string>) => [type, [severity, message]]),
    );
    expect(severities).toEqual({
      TestAlert: ['info', 'The disk of db-1 is full'],
      DatasourceNoData: ['warn', 'No data for the rule “CPU”'],
    });
  });

  it('maps severities by their usual names, and an absent one to error', async () => {
    const names = ['page', 'Critical', 'high', 'warning', 'none', 'P3', undefined];
    const project = await user.createProject();
    const alerts = names.map((severity, index) =>
      anAlert({
        fingerprint: `s${index}`,
        labels: { alertname: `A${index}`, ...(severity !== undefined && { severity }) },
      }),
    );
    await project.ingest.post('/ingest/alertmanager', notify(...alerts));
    const events = await eventsOf(project, names.length);
    const byType = events.toSorted((left: { type: string }, right: { type: string }) =>
      left.type < right.type ? -1 : 1,
    );
    expect(byType.map(({ severity }: { severity: string }) => severity)).toEqual([
      'critical',
      'critical',
      'error',
      'warn',
      'info',
      'error',
      'error',
    ]);
  });

  it.each([
    ['a payload of a template', { text: 'Disk full' }, 'body/alerts is required'],
    ['a list', [], 'body must be object'],
    [
      'an alert without labels',
      notify({ status: 'firing', startsAt: at(0) }),
      'body/alerts/0/labels is required',
    ],
    [
      'a start that is no time',
      notify(anAlert({ startsAt: 'now' })),
      'body/alerts/0/startsAt must be a time',
    ],
    ['another status', notify(anAlert({ status: 'pending' })), 'body/alerts/0/status must be'],
  ])('refuses %s with a sentence for the log of its sender', async (_name, body, reason) => {
    const { ingest } = await user.createProject();
    const answer = await ingest.post('/ingest/alertmanager', body);
    expectProblem(answer, 'validation_failed');
    expect(answer.body.detail).toContain('This is no notification of Alertmanager or Grafana (');
    expect(answer.body.detail).toContain(reason);
    expect(answer.body.errors).toBeUndefined();
  });

  it('cuts what is longer than an event may hold, and stores the alert whole in the payload', async () => {
    const project = await user.createProject();
    const long = '😀'.repeat(20_000);
    const labels = Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [`l${index}`, long.slice(0, 600)]),
    );
    const alert = anAlert({
      labels: { ...labels, alertname: `A${long.slice(0, 400)}` },
      annotations: { summary: long },
    });
    await project.ingest.post('/ingest/alertmanager', notify(alert));
    const [listed] = await eventsOf(project, 1);
    const { body } = await user.api.get(`/events/${listed.id}`);
    expect([body.type.length, body.message.length, Object.keys(body.correlation).length]).toEqual([
      128, 32_768, 32,
    ]);
    expect(body.payload.annotations.summary).toBe(long);
    expect(body.message.isWellFormed()).toBe(true);
  });
});
