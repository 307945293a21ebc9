import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { nextPage, readAll } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

describe('the list of incidents', async () => {
  const service = await startTestService();
  const { api, createProject, openIncident } = await service.signUp();
  const [shop, site] = [await createProject('Shop'), await createProject('Site')];
  const ids: string[] = [];
  for (const [index, status] of ['open', 'investigating', 'resolved', 'open', 'open'].entries()) {
    const projectId = index === 4 ? site.id : shop.id;
    const id = await openIncident(projectId, { title: `Number ${index}` });
    if (status !== 'open') await api.patch(`/incidents/${id}`, { status });
    ids.unshift(id);
  }
  const numbers = async (query: string) => {
    const { status, body } = await api.get(`/incidents?${query}`);
    expect(status).toBe(200);
    return body.map(({ title }: { title: string }) => Number(title.at(-1)));
  };

  it.each<[string, number[]]>([
    ['', [4, 3, 2, 1, 0]],
    ['status=open', [4, 3, 0]],
    ['status=investigating', [1]],
    ['status=resolved', [2]],
    [`project_id=${shop.id}`, [3, 2, 1, 0]],
    [`project_id=${shop.id}&status=open`, [3, 0]],
    ['project_id=proj_01h455vb4pex5vsknk084sn02q', []],
    ['project_id=nonsense', []],
    ['project_id=%00', []],
    ['limit=2', [4, 3]],
    ['limit=501', [4, 3, 2, 1, 0]],
  ])('lists for ?%s the incidents %j, newest first', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected);
  });

  it.each<[string, number[]]>([
    ['q=number%203', [3]],
    ['q=SITE', [4]],
    ['q=%25', []],
    ['q=nothing', []],
    ['q=%20', [4, 3, 2, 1, 0]],
    ['q=%00', []],
    ['q=number&status=open&sort=severity', [4, 3, 0]],
  ])('finds for ?%s the incidents %j, by title and project', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected);
  });

  it('lists incidents with all fields of a single one but the timeline', async () => {
    const [first] = (await api.get('/incidents')).body;
    const { timeline: _timeline, facts: _facts, ...fields } = (await api.get(`/incidents/${first.id}`)).body;
    expect(first).toEqual(fields);
  });

  it('pages incidents with the same filters on every page', async () => {
    const listed = await readAll(api, '/incidents?limit=2&status=open');
    expect(listed.map(({ id }) => id)).toEqual([ids[0], ids[1], ids[4]]);
  });

  it('lists the worst incidents first on request, page by page', async () => {
    const other = await service.signUp('Grace');
    const project = await other.createProject();
    for (const [index, severity] of ['critical', 'info', 'error', 'critical', 'info'].entries()) {
      await other.openIncident(project.id, { title: `Number ${index}`, severity });
    }
    const listed = await readAll(other.api, '/incidents?sort=severity&limit=2');
    expect(listed.map(({ title }) => title)).toEqual([
      'Number 3',
      'Number 0',
      'Number 2',
      'Number 4',
      'Number 1',
    ]);
  });

  it.each([
    'sort=oldest',
    'limit=0',
    'limit=-1',
    'limit=abc',
    'limit=',
    'limit=-1e400',
    'status=closed',
    'status=OPEN',
    'cursor=x',
  ])('refuses to list incidents with ?%s', async (query) => {
    expectProblem(await api.get(`/incidents?${query}`), 'validation_failed');
  });
});

describe('the counts of incidents', async () => {
  const service = await startTestService();
  const { api, createProject, openIncident } = await service.signUp();
  const [shop, site] = [await createProject('Shop'), await createProject('Site')];
  const none = { open: 0, investigating: 0, resolved: 0 };

  it('counts zero incidents in a new organization', async () => {
    expect((await api.get('/incidents/counts')).body).toEqual(none);
  });

  it('counts incidents by status, of all projects or of one', async () => {
    for (const [projectId, status] of [
      [shop.id, 'open'],
      [shop.id, 'resolved'],
      [shop.id, 'resolved'],
      [site.id, 'open'],
      [site.id, 'investigating'],
    ] as const) {
      const id = await openIncident(projectId);
      if (status !== 'open') await api.patch(`/incidents/${id}`, { status });
    }
    const counts = async (query: string) => (await api.get(`/incidents/counts?${query}`)).body;
    expect(await counts('')).toEqual({ open: 2, investigating: 1, resolved: 2 });
    expect(await counts(`project_id=${shop.id}`)).toEqual({ open: 1, investigating: 0, resolved: 2 });
    expect(await counts('project_id=nonsense')).toEqual(none);
    await api.delete(`/projects/${site.id}`);
    expect(await counts('')).toEqual({ open: 1, investigating: 0, resolved: 2 });
    expectProblem(await api.get(`/incidents/counts?project_id=${'x'.repeat(300)}`), 'validation_failed');
  });
});

describe('the summary of incidents', async () => {
  const service = await startTestService();
  const { api, createProject, openIncident } = await service.signUp();
  const [shop, site] = [await createProject('Shop'), await createProject('Site')];
  const summary = async (query = '') => (await api.get(`/incidents/summary${query}`)).body;
  const nothing = { opened: 0, resolved: 0, medianSecondsToResolve: null };

  it('sums up no incidents in a new organization', async () => {
    expect(await summary()).toMatchObject(nothing);
  });

  it('sums up the incidents opened and resolved in the last 7 days, with the median time to resolve', async () => {
    const opened = async (days: number, resolvedAfterMinutes: number | null, projectId = shop.id) => {
      const id = await openIncident(projectId);
      await service.database.pool.query(
        `UPDATE incidents SET created_at = now() - make_interval(days => $2),
            resolved_at = now() - make_interval(days => $2) + make_interval(mins => $3),
            status = CASE WHEN $3::int IS NULL THEN status ELSE 'resolved' END
          WHERE id = $1`,
        [toUuid('inc', id), days, resolvedAfterMinutes],
      );
    };
    for (const [days, minutes] of [
      [1, 10],
      [2, 60],
      [3, 600],
      [1, null],
      [20, 5],
    ] as const)
      await opened(days, minutes);
    await opened(1, null, site.id);
    expect(await summary()).toMatchObject({ opened: 5, resolved: 3, medianSecondsToResolve: 3_600 });
    expect(await summary(`?project_id=${site.id}`)).toMatchObject({ ...nothing, opened: 1 });
    expect(await summary('?project_id=nonsense')).toMatchObject(nothing);
    const { since } = await summary();
    expect(new Date(since).toISOString()).toBe(since);
  });
});

describe('the events behind an incident', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const { id: projectId, ingest } = await user.createProject();

  it('lists the events of the series behind an automatic incident, newest first and paged', async () => {
    const event = { type: 'core', source: 'reactor', severity: 'CRITICAL' };
    const sent: string[] = [];
    for (let index = 0; index < 3; index++) {
      const { jobId } = (await ingest.post('/ingest/events', { ...event, message: `Melting ${index}` })).body;
      sent.unshift(jobId.replace('job_', 'evt_'));
    }
    await ingest.post('/ingest/events', { ...event, source: 'office', severity: 'INFO', message: 'Coffee' });
    await service.settled();
    const incident = await user.firstIncident(projectId);
    expect(incident).toMatchObject({ origin: 'risk', status: 'open', severity: 'critical' });
    expect(incident.evidence).toMatchObject({ rule: 'at_least', sentence: expect.any(String) });

    const path = `/incidents/${incident.id}/events`;
    const list = await user.api.get(path);
    expect(list.status).toBe(200);
    expect(list.body.map(({ id }: { id: string }) => id)).toEqual(sent);
    const { frames, causes, ...whole } = (await user.api.get(`/events/${sent[0]}`)).body;
    expect([list.body[0], frames, causes]).toEqual([whole, [], []]);
    const page = await user.api.get(`${path}?limit=2`);
    expect(page.body).toEqual(list.body.slice(0, 2));
    const next = nextPage(page) ?? '';
    expect((await user.api.get(next)).body).toEqual(list.body.slice(2));
    expectProblem(await user.api.get(`${path}?limit=0`), 'validation_failed');
  });

  it('lists no events and no groups of joined series', async () => {
    const crash = { type: 'pay', source: 'till', severity: 'CRITICAL', message: 'No answer' };
    const till = await user.createProject('Till');
    await till.ingest.post('/ingest/bulk', [crash, { ...crash, severity: 'INFO', message: 'Paid' }]);
    await service.settled();
    const incident = await user.firstIncident(till.id);
    const sales = { kind: 'events', type: 'pay', severity: 'info', source: 'till', fingerprint: null };
    const attach = async (rule: string) => {
      const joined = { ...sales, rule, from: incident.evidence.from };
      await service.database.pool.query(
        `UPDATE incidents SET evidence = jsonb_set(evidence, '{alsoSeries}', $2) WHERE id = $1`,
        [toUuid('inc', incident.id), JSON.stringify([joined])],
      );
      const { body: events } = await user.api.get(`/incidents/${incident.id}/events`);
      const { body: groups } = await user.api.get(`/incidents/${incident.id}/groups`);
      return {
        events: events.map(({ message }: { message: string }) => message).toSorted(),
        groups: groups.map(({ group }: { group: { title: string } }) => group.title).toSorted(),
      };
    };
    expect(await attach('drop')).toEqual({ events: ['No answer'], groups: ['No answer'] });
    expect(await attach('silence')).toEqual({ events: ['No answer'], groups: ['No answer'] });
    expect(await attach('rise')).toEqual({ events: ['No answer'], groups: ['No answer'] });
  });

  it('lists no events behind an incident that was created manually', async () => {
    const id = await user.openIncident(projectId);
    expect((await user.api.get(`/incidents/${id}/events`)).body).toEqual([]);
  });
});
