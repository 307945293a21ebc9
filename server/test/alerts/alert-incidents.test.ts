import { describe, expect, it } from 'vitest';
import { reviewAlerts } from '../../src/alerts/review-alerts.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { isoTime } from '../../src/platform/time.ts';
import { evaluatedUntil, passTime, QUICK_PACE } from '../risk/support.ts';
import { TestClock } from '../support/clock.ts';
import { insertPastCounts } from '../support/past-counts.ts';
import { startTestService } from '../support/service.ts';
import { anAlert, incidentsOf, notesOf, notify } from './support.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('the incident of alerts', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const nowMs = service.context.clock.now();
  const agoMs = (minutes: number) => nowMs - minutes * MINUTE_MS;
  const hasOne = (status: string) => (incidents: { status: string }[]) =>
    incidents.length === 1 && incidents[0]?.status === status;

  it('opens one incident for a group of alerts, and no second one for a critical alert, with its words and links', async () => {
    const project = await user.createProject();
    const links = {
      annotations: { summary: 'The disk is full', runbook_url: 'https://runbooks.example/disk' },
      generatorURL: 'https://prometheus.example/graph',
      silenceURL: 'javascript:alert(1)',
    };
    await notify(project, 'g', [
      anAlert({ name: 'Slow', severity: 'warning', startsAtMs: agoMs(2) }),
      anAlert({ severity: 'critical', startsAtMs: agoMs(1), with: links }),
    ]);
    await service.settled();
    const [incident] = await incidentsOf(user, project, hasOne('open'));
    expect(incident).toMatchObject({
      title: 'DiskFull: The disk is full',
      severity: 'critical',
      origin: 'alertmanager',
      lead: { kind: 'alerts' },
      links: [
        { name: 'alert', url: 'https://prometheus.example/graph' },
        { name: 'runbook', url: 'https://runbooks.example/disk' },
      ],
      evidence: null,
    });
    expect(await notesOf(user, incident.id)).toEqual([
      'Alertmanager: 2 alerts fire: “Slow of shop” and “DiskFull: The disk is full”.',
    ]);
  });

  it('opens no incident for alerts of an environment that is not watched, and one for those of a watched one', async () => {
    const project = await user.createProject();
    const alertOf = (name: string, environment: string) =>
      anAlert({
        name,
        startsAtMs: agoMs(1),
        with: { labels: { alertname: name, service: name, severity: 'critical', environment } },
      });
    await notify(project, 'staging', [alertOf('Staging', 'STG')]);
    await notify(project, 'both', [alertOf('Canary', 'canary'), alertOf('Development', 'dev')]);
    const [incident] = await incidentsOf(user, project, hasOne('open'));
    expect(incident.title).toBe('Canary of shop');
    await service.settled();
    expect((await user.api.get(`/incidents?project_id=${project.id}`)).body).toHaveLength(1);
  });

  it('opens the incident of an alert that fires once its environment is watched, and ends it once it is not', async () => {
    const project = await user.createProject();
    const watch = (isWatched: boolean) =>
      user.api.patch(`/projects/${project.id}/environments/staging`, { isWatched });
    const labels = { alertname: 'Down', severity: 'critical', environment: 'staging' };
    const fire = () => notify(project, 'g', [anAlert({ startsAtMs: agoMs(9), with: { labels } })]);
    await fire();
    await service.settled();
    expect((await watch(true)).status).toBe(200);
    await fire();
    await service.settled();
    await incidentsOf(user, project, hasOne('open'));
    await watch(false);
    await fire();
    await service.settled();
    await incidentsOf(user, project, hasOne('resolved'));
  });

  it('finds the environment of an alert as that of an event: among the other ones, or that of the project', async () => {
    const project = await user.createProject();
    const names = Array.from({ length: 21 }, (_, index) => `region-${String(index).padStart(2, '0')}`);
    const events = names.map((environment) => ({ type: 'boot', severity: 'INFO', message: '', environment }));
    await project.ingest.post('/ingest/bulk', events);
    await service.settled();
    for (const name of ['other', 'production']) {
      const path = `/projects/${project.id}/environments/${name}`;
      expect((await user.api.patch(path, { isWatched: false })).status).toBe(200);
    }
    const fire = async (environment?: string) => {
      const labels = { alertname: `In ${environment}`, ...(environment && { environment }) };
      await notify(project, `g ${environment}`, [anAlert({ startsAtMs: agoMs(1), with: { labels } })]);
    };
    for (const environment of [...names.slice(-2), undefined]) await fire(environment);
    await service.settled();
    const incidents = (await user.api.get(`/incidents?project_id=${project.id}`)).body;
    expect(incidents.map(({ title }: { title: string }) => title)).toEqual([
      'In region-19: DiskFull of shop',
    ]);
  });

  it('raises the incident to its worst alert, and resolves it once none of its alerts fires', async () => {
    const project = await user.createProject();
    const slow = { name: 'Slow', severity: 'warning', startsAtMs: agoMs(9) };
    const full = { severity: 'critical', startsAtMs: agoMs(5) };
    await notify(project, 'g', [anAlert(slow)]);
    await notify(project, 'g', [anAlert(slow), anAlert(full)]);
    await notify(project, 'g', [anAlert({ ...slow, endsAtMs: agoMs(1) }), anAlert(full)]);
    await incidentsOf(user, project, ([incident]) => incident?.severity === 'critical');
    await notify(project, 'g', [anAlert({ ...full, endsAtMs: agoMs(0) })]);
    const [incident] = await incidentsOf(user, project, hasOne('resolved'));
    expect(await notesOf(user, incident.id)).toEqual([
      'Alertmanager: “Slow of shop” fires.',
      'Alertmanager: “DiskFull of shop” fires.',
      'All alerts of Alertmanager are over. Resolved automatically.',
    ]);
  });

  it('leads groups of alerts about one source to one incident until all of them are over, and others to their own', async () => {
    const project = await user.createProject();
    const alert = (name: string, service: string, endsAtMs?: number) =>
      anAlert({ name, service, startsAtMs: agoMs(3), ...(endsAtMs && { endsAtMs }) });
    await notify(project, 'disk', [alert('DiskFull', 'shop')]);
    await notify(project, 'slow', [alert('Slow', 'shop')]);
    await notify(project, 'mail', [alert('QueueFull', 'mail')]);
    const [shared, other] = await incidentsOf(user, project, (incidents) => incidents.length === 2);
    expect([shared.title, other.title]).toEqual(['DiskFull of shop', 'QueueFull of mail']);
    await notify(project, 'disk', [alert('DiskFull', 'shop', agoMs(1))]);
    await notify(project, 'mail', [alert('QueueFull', 'mail', agoMs(1))]);
    await incidentsOf(user, project, (incidents) => incidents[1]?.status === 'resolved');
    expect((await user.api.get(`/incidents/${shared.id}`)).body.status).toBe('open');
    await notify(project, 'slow', [alert('Slow', 'shop', agoMs(1))]);
    await incidentsOf(user, project, (incidents) => incidents.every(({ status }) => status === 'resolved'));
  });

  it('opens another incident after a resolution by a person only for an alert that begins later', async () => {
    const project = await user.createProject();
    await notify(project, 'g', [anAlert({ startsAtMs: agoMs(9) })]);
    const [first] = await incidentsOf(user, project, hasOne('open'));
    await user.api.patch(`/incidents/${first.id}`, { status: 'resolved' });
    await notify(project, 'g', [anAlert({ startsAtMs: agoMs(9) })]);
    await service.settled();
    await incidentsOf(user, project, hasOne('resolved'));
    await notify(project, 'g', [
      anAlert({ startsAtMs: agoMs(9) }),
      anAlert({ name: 'Slow', startsAtMs: agoMs(5) }),
    ]);
    const [, second] = await incidentsOf(user, project, (incidents) => incidents.length === 2);
    expect(second).toMatchObject({ status: 'open', previousIncidentId: first.id });
  });

  it('opens no incident for the test of a contact point, nor for an alert that was never told to fire', async () => {
    const project = await user.createProject();
    await notify(project, 'g', [anAlert({ name: 'TestAlert', severity: 'critical', startsAtMs: agoMs(1) })]);
    await notify(project, 'h', [anAlert({ startsAtMs: agoMs(9), endsAtMs: agoMs(1) })]);
    await service.settled();
    expect((await user.api.get(`/incidents?project_id=${project.id}`)).body).toEqual([]);
  });

  it('adds the evidence of the detector about the source of an alert, and keeps the incident until both are over', async () => {
    const project = await user.createProject();
    const alert = { startsAtMs: agoMs(3) };
    await notify(project, 'g', [anAlert(alert)]);
    await incidentsOf(user, project, hasOne('open'));
    const event = { type: 'checkout', severity: 'CRITICAL', message: 'No disk', source: 'shop' };
    await project.ingest.post('/ingest/events', event);
    const [incident] = await incidentsOf(user, project, ([first]) => Boolean(first?.evidence));
    expect(incident).toMatchObject({ title: 'DiskFull of shop', origin: 'alertmanager' });
    await notify(project, 'g', [anAlert({ ...alert, endsAtMs: agoMs(0) })]);
    await service.settled();
    const notes = await notesOf(user, incident.id);
    expect(notes.at(-1)).toBe(
      'All alerts of Alertmanager are over. Left open because it’s not back to normal here.',
    );
    expect((await user.api.get(`/incidents/${incident.id}`)).body).toMatchObject({
      severity: 'critical',
      status: 'open',
    });
  });

  it('counts alerts in no number of the detector: previews and incidents leave them out as detection does', async () => {
    const projects = [user.createProject(), user.createProject(), user.createProject()] as const;
    const [alone, both, past] = await Promise.all(projects);
    const alerts = [1, 2, 3].map((index) =>
      anAlert({ name: `Down${index}`, service: 'mail', severity: 'critical', startsAtMs: agoMs(5) }),
    );
    const event = { type: 'pay', severity: 'CRITICAL', message: 'No money', source: 'till' };
    await both.ingest.post('/ingest/events', event);
    await incidentsOf(user, both, hasOne('open'));
    for (const project of [alone, both]) await notify(project, 'g', alerts);
    const incidents = await incidentsOf(user, both, ({ length }) => length === 2);
    const detected = incidents.find(({ origin }) => origin === 'risk');
    expect(detected.lead).toMatchObject({ series: { kind: 'rule', severity: 'critical', type: null } });
    await service.settled();
    const read = async (path: string) => (await user.api.get(`/incidents/${detected.id}${path}`)).body;
    expect(await read('')).toMatchObject({ eventCount: 1, facts: { newestEvent: { message: 'No money' } } });
    expect(await read('/events')).toMatchObject([{ message: 'No money' }]);
    expect(await read('/groups')).toMatchObject([{ group: { title: 'No money' }, count: 1, share: 1 }]);
    const previewed = async ({ id }: { id: string }) =>
      (await user.api.get(`/projects/${id}/risk/preview?days=1`)).body.incidents.length;
    const startMs = Math.floor(agoMs(5) / MINUTE_MS) * MINUTE_MS;
    const place = { organizationId: user.organizationId, id: past.id };
    const series = { type: 'Down1', severity: 'critical', source: 'mail' } as const;
    await insertPastCounts(service.database.pool, place, series, { startMs, counts: [1] });
    expect([await previewed(alone), await previewed(past)]).toEqual([0, 1]);
  });

  it('leads later alerts to incidents of their own though an earlier one began by a clock that is ahead', async () => {
    const project = await user.createProject();
    const aheadMs = agoMs(-7 * 24 * 60);
    await notify(project, 'g', [anAlert({ startsAtMs: aheadMs })]);
    await notify(project, 'g', [anAlert({ startsAtMs: aheadMs, endsAtMs: aheadMs + 1 })]);
    await incidentsOf(user, project, hasOne('resolved'));
    const [first] = (await user.api.get(`/events?project_id=${project.id}`)).body;
    expect(first.changed).toEqual(['clock']);
    await notify(project, 'g', [anAlert({ startsAtMs: service.context.clock.now() })]);
    await incidentsOf(user, project, (incidents) => incidents[1]?.status === 'open');
  });

  it('ends the incident of a cut list by no notification but a complete one, or by a person', async () => {
    const project = await user.createProject();
    const alert = { startsAtMs: agoMs(9) };
    const over = anAlert({ ...alert, endsAtMs: agoMs(1) });
    await notify(project, 'g', [anAlert(alert)], 40);
    await notify(project, 'g', [over], 39);
    await service.settled();
    await incidentsOf(user, project, hasOne('open'));
    await notify(project, 'g', [over]);
    await incidentsOf(user, project, hasOne('resolved'));
    const second = anAlert({ startsAtMs: agoMs(0) });
    await notify(project, 'g', [second], 1);
    const [, again] = await incidentsOf(user, project, (incidents) => incidents[1]?.status === 'open');
    expect((await user.api.patch(`/incidents/${again.id}`, { status: 'resolved' })).status).toBe(200);
    await notify(project, 'g', [second], 1);
    await service.settled();
    const statuses = (await user.api.get(`/incidents?project_id=${project.id}`)).body;
    expect(statuses.map(({ status }: { status: string }) => status)).toEqual(['resolved', 'resolved']);
  });

  it('opens an incident for a notification of megabytes, of which it reads the first 2,000 alerts', async () => {
    const project = await user.createProject();
    const labels = Object.fromEntries(
      Array.from({ length: 24 }, (_, index) => [`l${index}`, 'x'.repeat(20)]),
    );
    const alerts = Array.from({ length: 2_003 }, (_, index) =>
      anAlert({
        startsAtMs: agoMs(1),
        with: { labels: { ...labels, alertname: 'Down' }, fingerprint: `f${index}` },
      }),
    );
    await notify(project, 'g', alerts);
    const [incident] = await incidentsOf(user, project, hasOne('open'));
    const [note] = await notesOf(user, incident.id);
    expect(note).toMatch(/^Alertmanager: 2000 alerts fire: .* 3 more are left out\.$/);
    await expect(notify(project, 'g', [{ ...alerts[0], values: 'x'.repeat(1_100_000) }])).rejects.toThrow(
      'An alert is larger than 1 MiB.',
    );
  });

  it('opens one incident for 40 alerts of two groups in any order, of which some are over, repeated or resolved first', async () => {
    const project = await user.createProject();
    const fireOf = (index: number) => anAlert({ name: `Alert${index}`, startsAtMs: agoMs(9) });
    const overOf = (index: number) =>
      anAlert({ name: `Alert${index}`, startsAtMs: agoMs(9), endsAtMs: agoMs(5) });
    const all = Array.from({ length: 40 }, (_, index) => index);
    const [own, other] = [all.filter((index) => index % 2 === 0), all.filter((index) => index % 2 === 1)];
    await notify(project, 'a', [...own.slice(0, 10).map(overOf), ...own.slice(10).map(fireOf)]);
    await incidentsOf(user, project, hasOne('open'));
    await notify(project, 'b', other.map(fireOf));
    await notify(project, 'b', other.map(fireOf));
    // These come late: the alerts are over.
    await notify(project, 'a', own.slice(0, 10).map(fireOf));
    await notify(project, 'b', other.map(overOf));
    await notify(project, 'b', other.map(fireOf));
    await service.settled();
    await incidentsOf(user, project, hasOne('open'));
    await notify(project, 'a', own.map(overOf));
    await incidentsOf(user, project, hasOne('resolved'));
  });

  it('adds alerts to an incident whose evidence about their source goes on, however old its last change is', async () => {
    const project = await user.createProject();
    const event = { type: 'checkout', severity: 'CRITICAL', message: 'No disk', source: 'shop' };
    await project.ingest.post('/ingest/events', event);
    const [opened] = await incidentsOf(user, project, hasOne('open'));
    await service.database.pool.query(
      "UPDATE incidents SET updated_at = updated_at - interval '1 hour' WHERE id = $1",
      [toUuid('inc', opened.id)],
    );
    const link = { generatorURL: 'https://prometheus.example/graph' };
    await notify(project, 'g', [anAlert({ startsAtMs: agoMs(1), with: link })]);
    const [incident] = await incidentsOf(user, project, ([first]) => first?.links.length > 0);
    expect(incident).toMatchObject({ id: opened.id, origin: 'risk', title: opened.title });
    expect((await notesOf(user, incident.id)).at(-1)).toBe('Alertmanager: “DiskFull of shop” fires.');
  });

  it.each([
    [9, 1],
    [11, 2],
  ])(
    'leads alerts that fire %i minutes after evidence ended to incident %i, though a person has changed the first',
    async (minutes, count) => {
      const project = await user.createProject();
      const event = { type: 'checkout', severity: 'CRITICAL', message: 'No disk', source: 'shop' };
      await project.ingest.post('/ingest/events', event);
      const [{ id }] = await incidentsOf(user, project, hasOne('open'));
      await user.api.patch(`/incidents/${id}`, { status: 'investigating' });
      await service.database.pool.query(
        "UPDATE incidents SET evidence = jsonb_set(evidence, '{endedAt}', to_jsonb($2::text)) WHERE id = $1",
        [toUuid('inc', id), isoTime(service.context.clock.now() - minutes * MINUTE_MS)],
      );
      await user.api.post(`/incidents/${id}/notes`, { note: 'It is quiet now.' });
      await notify(project, 'g', [anAlert({ startsAtMs: agoMs(1) })]);
      await service.settled();
      expect((await user.api.get(`/incidents?project_id=${project.id}`)).body).toHaveLength(count);
    },
  );
});

describe('alerts without repeats', async () => {
  const clock = new TestClock();
  const service = await startTestService({ own: true, clock, riskPace: QUICK_PACE });
  const user = await service.signUp();
  const store = { pool: service.context.pool, clock };

  it('ends alerts that are not repeated after a while, also those of a cut list', async () => {
    const [silent, truncated] = [await user.createProject(), await user.createProject()];
    const alert = anAlert({ startsAtMs: clock.now() });
    await notify(silent, 'g', [alert]);
    await notify(truncated, 'g', [alert], 2);
    for (const project of [silent, truncated]) await incidentsOf(user, project, ({ length }) => length === 1);
    clock.advance(11 * HOUR_MS);
    await reviewAlerts(store);
    await incidentsOf(user, silent, ([incident]) => incident?.status === 'open');
    await incidentsOf(user, truncated, ([incident]) => incident?.status === 'open');
    clock.advance(2 * HOUR_MS);
    await reviewAlerts(store);
    const [ended] = await incidentsOf(user, silent, ([incident]) => incident?.status === 'resolved');
    expect((await notesOf(user, ended.id)).at(-1)).toBe(
      'Alertmanager hasn’t repeated its alerts for 12 h, so they count as over. Resolved automatically.',
    );
    await incidentsOf(user, truncated, ([incident]) => incident?.status === 'resolved');
    await notify(silent, 'g', [alert]);
    await incidentsOf(user, silent, (incidents) => incidents[1]?.status === 'open');
  });

  it('keeps an incident whose evidence ended first until its alerts are over, and then resolves it', async () => {
    const project = await user.createProject();
    const alert = { startsAtMs: clock.now() };
    await notify(project, 'g', [anAlert(alert)]);
    await incidentsOf(user, project, ({ length }) => length === 1);
    const event = { type: 'checkout', severity: 'CRITICAL', message: 'No disk', source: 'shop' };
    await project.ingest.post('/ingest/events', event);
    await service.settled();
    await incidentsOf(user, project, ([first]) => Boolean(first?.evidence));
    for (let hours = 0; hours < 3; hours++) {
      await passTime(service, clock, HOUR_MS);
      await evaluatedUntil(service, clock.now() - MINUTE_MS);
    }
    const [incident] = await incidentsOf(user, project, ([first]) => first?.status === 'open');
    expect((await notesOf(user, incident.id)).at(-1)).toMatch(/ Left open because alerts still fire\.$/);
    await notify(project, 'g', [anAlert({ ...alert, endsAtMs: clock.now() })]);
    await incidentsOf(user, project, ([first]) => first?.status === 'resolved');
    expect((await notesOf(user, incident.id)).at(-1)).toBe(
      'All alerts of Alertmanager are over. Resolved automatically.',
    );
  });
});
