import { describe, expect, it } from 'vitest';
import { toUuid } from '../../src/platform/ids.ts';
import { readAll, readPages } from '../support/client.ts';
import { expectProblem } from '../support/problems.ts';
import { startTestService } from '../support/service.ts';

interface ListedGroup {
  id: string;
  number: number;
  key: string;
  title: string;
  state: string;
  count: number;
  users: number;
  severity: string;
}

describe('groups', async () => {
  const service = await startTestService();
  const user = await service.signUp();
  const project = await user.createProject('Web shop');
  const send = async (events: object[]) => {
    expect((await project.ingest.post('/ingest/bulk', events)).status).toBe(202);
    await service.settled();
  };
  const list = async (query = ''): Promise<ListedGroup[]> => {
    const { status, body } = await user.api.get(`/groups?project_id=${project.id}&${query}`);
    expect(status).toBe(200);
    return body;
  };
  const event = (message: string, more: object = {}) => ({
    type: 't',
    severity: 'ERROR',
    message,
    source: 'api',
    ...more,
  });
  await send([
    event('The card was refused', { correlation: { user_id: 'a' }, release: '1.0.0' }),
    event('The card was refused', { correlation: { user_id: 'b' } }),
    event('The card was refused', { correlation: { customer_id: 'b' }, severity: 'CRITICAL' }),
    event('The basket is empty', { severity: 'INFO', source: 'web' }),
  ]);

  it('lists events of one kind as one group with its count, users and worst severity', async () => {
    const [group, ...others] = await list('sort=count');
    expect(others).toMatchObject([{ count: 1, users: 0, severity: 'info', source: 'web' }]);
    expect(group).toMatchObject({
      title: 'The card was refused',
      state: 'open',
      count: 3,
      users: 2,
      severity: 'critical',
      firstRelease: '1.0.0',
      lastRelease: '1.0.0',
      resolvedIn: null,
      assigneeId: null,
    });
    expect(group?.key).toBe(`WEB-SHOP-${group?.number}`);
    expect(group?.id).toMatch(/^grp_/);
  });

  it('adds later events to the group, and finds it by state, severity, source, words and key', async () => {
    await send([event('The card was refused', { correlation: { user_id: 'c' } })]);
    const [group] = await list('q=CARD+ref');
    expect(group).toMatchObject({ count: 4, users: 3 });
    for (const query of [
      'severity=critical',
      'min_severity=warn',
      'min_severity=error&sort=count',
      `q=${group?.key.toLowerCase()}`,
      'source=api',
      'state=open&source=api',
      'is=new&source=api',
      'release=1.0.0',
    ])
      expect(await list(query)).toMatchObject([{ id: group?.id }]);
    for (const query of [
      'state=muted',
      'is=regressed',
      'assignee=me',
      'release=2.0.0',
      'q=card+basket',
      'min_severity=warn&q=basket',
    ])
      expect(await list(query)).toEqual([]);
  });

  it('finds the group of a key, and a merged group by its old key', async () => {
    const owner = await service.signUp();
    const find = async (query: string): Promise<ListedGroup[]> =>
      (await owner.api.get(`/groups?${query}`)).body;
    const projects = [await owner.createProject('Web shop'), await owner.createProject('Web-Shop')];
    for (const { ingest } of projects) {
      for (const message of ['It is full', 'It is empty']) {
        expect((await ingest.post('/ingest/events', event(message))).status).toBe(202);
        await service.settled();
      }
    }
    const [first, second] = await find(`project_id=${projects[0]?.id}`);
    const key = first?.key ?? '';
    for (const query of [`key=${key}`, `key=${key.toLowerCase()}`, `q=${key}`])
      expect(await find(query)).toMatchObject([{ id: first?.id }]);
    expect(await find(`key=${key}&project_id=${projects[1]?.id}`)).toEqual([]);
    expect(await find(`key=${key}&state=resolved`)).toEqual([]);
    for (const unknown of ['WEB-SHOP-999999', 'OTHER-1', 'WEB-SHOP', 'utf-8', '1'])
      expect(await find(`key=${unknown}`)).toEqual([]);
    expect((await owner.api.post(`/groups/${first?.id}/merge`, { ids: [second?.id] })).status).toBe(200);
    expect(await find(`key=${second?.key}`)).toMatchObject([{ id: first?.id }]);
  });

  it('gives the id of its group to each event, and lists the events of a group in both orders', async () => {
    const [group] = await list('source=api');
    const { body: newest } = await user.api.get(`/groups/${group?.id}/events`);
    expect(newest).toHaveLength(4);
    for (const one of newest) expect(one.groupId).toBe(group?.id);
    const { body: oldest } = await user.api.get(`/groups/${group?.id}/events?order=asc&limit=1`);
    expect(oldest[0].id).toBe(newest[3].id);
    const after = oldest[0].id.slice(4);
    const { body: next } = await user.api.get(
      `/groups/${group?.id}/events?order=asc&limit=1&cursor=${after}`,
    );
    expect(next[0].id).toBe(newest[2].id);
    expect((await user.api.get(`/events/${newest[0].id}`)).body.groupId).toBe(group?.id);
  });

  it('filters events, histogram and frequent values by a group', async () => {
    const [group] = await list('source=api&sort=count');
    const { body: listed } = await user.api.get(`/events?group_id=${group?.id}`);
    expect(listed).toHaveLength(group?.count ?? 0);
    const { body: buckets } = await user.api.get(`/events/histogram?group_id=${group?.id}`);
    const sum = (all: { error: number; critical: number }[]) =>
      all.reduce((total, { error, critical }) => total + error + critical, 0);
    expect(sum(buckets)).toBe(group?.count);
    const { body: top } = await user.api.get(`/events/top?by=type&group_id=${group?.id}`);
    expect(top).toMatchObject([{ value: 't', count: group?.count }]);
    const { body: kinds } = await user.api.get('/events/top?by=fingerprint');
    expect(kinds).toContainEqual(expect.objectContaining({ groupId: group?.id, count: group?.count }));
    for (const id of ['grp_x', 'grp_01h455vb4pex5vsknk084sn02q'])
      expect((await user.api.get(`/events?group_id=${id}`)).body).toEqual([]);
    const other = await service.signUp();
    expect((await other.api.get(`/events?group_id=${group?.id}`)).body).toEqual([]);
  });

  it('pages through groups by each order without repeating or skipping one', async () => {
    await send(
      Array.from({ length: 7 }, (_, index) => event(`Kind ${'abcdefg'[index]}`, { source: 'paging' })),
    );
    for (const sort of ['last_seen', 'first_seen', 'count', 'users']) {
      const seen = await readAll(user.api, `/groups?source=paging&limit=2&sort=${sort}`);
      expect(new Set(seen.map(({ id }) => id)).size).toBe(7);
      expect(seen).toHaveLength(7);
    }
  });

  it('resolves, reopens, mutes and assigns a group, with a history and an audit entry for each', async () => {
    await send([event('Something to resolve')]);
    const [group] = await list('q=something');
    const patch = (body: object) => user.api.patch(`/groups/${group?.id}`, body);
    expect((await patch({ state: 'resolved' })).body).toMatchObject({ state: 'resolved', resolution: 'now' });
    expect((await patch({ state: 'resolved' })).body.state).toBe('resolved');
    expect((await patch({ state: 'open' })).body).toMatchObject({ state: 'open', resolution: null });
    expect((await patch({ muteForCount: 3 })).body).toMatchObject({ state: 'muted', muteForCount: 3 });
    expect((await patch({ assigneeId: user.id })).body).toMatchObject({
      assigneeId: user.id,
      state: 'muted',
    });
    const { body: history } = await user.api.get(`/groups/${group?.id}/history`);
    expect(history.map((entry: { after: { state: string } }) => entry.after.state)).toEqual([
      'muted',
      'muted',
      'open',
      'resolved',
    ]);
    expect(history[0]).toMatchObject({
      userId: user.id,
      before: { assigneeId: null },
      after: { assigneeId: user.id },
    });
    const { body: audit } = await user.api.get('/organizations/audit');
    expect(audit[0]).toMatchObject({ action: 'group.changed', targetId: group?.id });
    await send([event('Something to resolve'), event('Something to resolve')]);
    expect(await list('q=something')).toMatchObject([{ state: 'muted', muteForCount: 1 }]);
    await send([event('Something to resolve')]);
    expect(await list('q=something')).toMatchObject([{ state: 'open', muteForCount: null }]);
  });

  it('reopens a resolved group as regressed when an event comes after the resolution', async () => {
    await send([event('To regress')]);
    const [group] = await list('q=regress');
    await user.api.patch(`/groups/${group?.id}`, { state: 'resolved' });
    await send([
      event('To regress', { capturedAt: new Date(service.context.clock.now() - 3_600_000).toISOString() }),
    ]);
    expect(await list('q=regress')).toMatchObject([{ state: 'resolved', count: 2 }]);
    await send([event('To regress')]);
    const regressed = await list('is=regressed');
    expect(regressed).toMatchObject([
      { id: group?.id, state: 'open', count: 3, regressedAt: expect.any(String) },
    ]);
    const { body: history } = await user.api.get(`/groups/${group?.id}/history?limit=1`);
    expect(history).toMatchObject([
      { userId: null, userName: null, before: { state: 'resolved' }, after: { state: 'open' } },
    ]);
  });

  it('refuses changes that contradict themselves, and unknown groups and members', async () => {
    const [group] = await list('q=regress');
    const other = await service.signUp();
    const patch = (body: object) => user.api.patch(`/groups/${group?.id}`, body);
    for (const body of [
      { state: 'open', resolvedIn: 'now' },
      { state: 'resolved', muteForCount: 1 },
      { mutePeriodSeconds: 60 },
      { muteForCount: 5, mutePeriodSeconds: 90 },
      { muteUntil: '2020-01-01T00:00:00Z' },
      { muteForCount: 0 },
      { state: 'closed' },
      { assigneeId: other.id },
      { assigneeId: 'usr_x' },
    ])
      expectProblem(await patch(body), 'validation_failed');
    expectProblem(await user.api.get('/groups/grp_x'), 'not_found');
    expectProblem(await user.api.get('/groups?cursor=x'), 'validation_failed');
    expectProblem(await user.api.get('/groups?q=%00'), 'validation_failed');
    expectProblem(await other.api.get(`/groups/${group?.id}`), 'not_found');
    expectProblem(await other.api.patch(`/groups/${group?.id}`, { state: 'resolved' }), 'not_found');
    expectProblem(await other.api.get(`/groups/${group?.id}/events`), 'not_found');
    expect((await other.api.get(`/groups?project_id=${project.id}`)).body).toEqual([]);
    expect((await other.api.get('/groups')).body).toEqual([]);
  });

  it('changes several groups together, all or none', async () => {
    const groups = await list('source=paging');
    const ids = groups.map(({ id }) => id);
    expectProblem(
      await user.api.patch('/groups', { ids: [...ids, 'grp_x'], state: 'resolved' }),
      'not_found',
    );
    expect(await list('source=paging&state=open')).toHaveLength(7);
    const { body } = await user.api.patch('/groups', { ids, state: 'resolved' });
    expect(body).toHaveLength(7);
    expect(await list('source=paging&state=resolved')).toHaveLength(7);
  });

  it('lists the groups behind an incident with their shares', async () => {
    const burst = await user.createProject('Burst');
    const critical = (message: string, more: object = {}) => ({
      type: 'disk',
      severity: 'CRITICAL',
      message,
      source: 'db',
      ...more,
    });
    await burst.ingest.post('/ingest/bulk', [
      critical('Disk full', { release: '1.0.0', correlation: { user_id: 'ada' } }),
      critical('Disk full', { release: '1.0.1', correlation: { user_id: 'ada' } }),
      critical('Disk full', { release: ' 1.0.1', correlation: { customer_id: 'bob' } }),
      critical('Disk gone'),
    ]);
    await service.settled();
    const incident = await user.firstIncident(burst.id);
    const { body } = await user.api.get(`/incidents/${incident.id}/groups`);
    expect(body).toMatchObject([
      {
        group: { title: 'Disk full', users: 2 },
        count: 3,
        share: 0.75,
        readEvents: 3,
        users: 2,
        releases: [
          { version: '1.0.1', count: 2 },
          { version: '1.0.0', count: 1 },
        ],
        otherReleases: 0,
        regression: null,
      },
      {
        group: { title: 'Disk gone' },
        count: 1,
        share: 0.25,
        users: 0,
        releases: [{ version: null, count: 1 }],
      },
    ]);
    const [{ group }] = body;
    await user.api.patch(`/groups/${group.id}`, { resolvedIn: 'current' });
    await burst.ingest.post('/ingest/events', critical('Disk full', { release: '1.0.1' }));
    await service.settled();
    const after = (await user.api.get(`/incidents/${incident.id}/groups`)).body[0];
    expect(after.regression).toEqual({
      at: after.group.regressedAt,
      resolvedAt: expect.any(String),
      resolvedIn: '1.0.1',
      resolvedBy: { id: user.id, name: 'Ada Lovelace' },
    });
    const other = await service.signUp();
    expectProblem(await other.api.get(`/incidents/${incident.id}/groups`), 'not_found');
  });

  it('merges groups into one, counts later events there, and separates each again as it was', async () => {
    const kinds = ['Merge me a', 'Merge me b', 'Merge me c'];
    await send(
      kinds.flatMap((kind, index) => [
        event(kind, { correlation: { user_id: 'same' } }),
        event(kind, { correlation: { user_id: `own ${index}` } }),
      ]),
    );
    const find = async (word: string) =>
      (await list(`q=merge+me+${word}`)).find(({ title }) => title.endsWith(word));
    const [a, b, c] = [await find('a'), await find('b'), await find('c')];
    // One after the other, so that the second brings what was merged into it.
    expect((await user.api.post(`/groups/${b?.id}/merge`, { ids: [c?.id] })).status).toBe(200);
    const { body: merged } = await user.api.post(`/groups/${a?.id}/merge`, { ids: [b?.id] });
    expect(merged).toMatchObject({ id: a?.id, count: 6, users: 4 });
    expect(merged.merged.map(({ id, count }: ListedGroup) => ({ id, count }))).toEqual(
      [b, c]
        .map((group) => ({ id: group?.id, count: 2 }))
        .toSorted((left, right) =>
          left.id === merged.merged[0].id ? -1 : right.id === merged.merged[0].id ? 1 : 0,
        ),
    );
    await send([event('Merge me b', { correlation: { user_id: 'late' } })]);
    expect(await list('q=merge+me')).toMatchObject([{ id: a?.id, count: 7, users: 5 }]);
    expect((await user.api.get(`/groups/${c?.id}`)).body).toMatchObject({ id: a?.id, count: 7 });
    expect((await user.api.get(`/groups/${a?.id}/events`)).body).toHaveLength(7);
    expect((await user.api.get(`/events?group_id=${a?.id}`)).body).toHaveLength(7);

    const { body: apart } = await user.api.delete(`/groups/${a?.id}/merged/${b?.id}`);
    expect(apart).toMatchObject({ id: a?.id, count: 4, users: 3 });
    expect((await user.api.get(`/groups/${b?.id}`)).body).toMatchObject({ id: b?.id, count: 3, users: 3 });
    expectProblem(await user.api.delete(`/groups/${a?.id}/merged/${b?.id}`), 'not_found');
    await user.api.delete(`/groups/${a?.id}/merged/${c?.id}`);
    expect((await user.api.get(`/groups/${a?.id}`)).body).toMatchObject({ count: 2, users: 2, merged: [] });
    const { body: history } = await user.api.get(`/groups/${a?.id}/history`);
    expect(history.map(({ after }: { after: object }) => Object.keys(after)[0])).toEqual([
      'separated',
      'separated',
      'merged',
    ]);
    const foreign = await user.createProject('Elsewhere');
    await foreign.ingest.post('/ingest/events', { type: 't', severity: 'ERROR', message: 'Foreign' });
    await service.settled();
    const [stranger] = (await user.api.get(`/groups?project_id=${foreign.id}`)).body;
    expectProblem(await user.api.post(`/groups/${a?.id}/merge`, { ids: [stranger.id] }), 'not_mergeable');
    expectProblem(await user.api.post(`/groups/${a?.id}/merge`, { ids: ['grp_x'] }), 'not_found');
  });

  it('refuses to merge and separate a group that counts fewer events than those merged into it', async () => {
    await send(['Sum a', 'Sum b', 'Sum c'].flatMap((kind) => [event(kind), event(kind)]));
    const find = async (title: string) => (await list('q=sum')).find((group) => group.title === title);
    const [a, b, c] = [await find('Sum a'), await find('Sum b'), await find('Sum c')];
    const { body: merged } = await user.api.post(`/groups/${b?.id}/merge`, { ids: [c?.id] });
    expect(merged.count).toBe(4);
    const setCount = (count: number) =>
      service.database.pool.query('UPDATE groups SET count = $2 WHERE id = $1', [
        toUuid('grp', b?.id ?? ''),
        count,
      ]);
    await setCount(1);
    expectProblem(await user.api.post(`/groups/${a?.id}/merge`, { ids: [b?.id] }), 'internal');
    expectProblem(await user.api.delete(`/groups/${b?.id}/merged/${c?.id}`), 'internal');
    await setCount(4);
    expect((await user.api.get(`/groups/${b?.id}`)).body).toMatchObject({
      merged: [{ id: c?.id, count: 2 }],
    });
    expect((await user.api.get(`/groups/${a?.id}`)).body).toMatchObject({ count: 2, merged: [] });
  });

  it('keeps the number of events until the end of a mute during a merge', async () => {
    await send([event('Muted one'), ...Array.from({ length: 5 }, () => event('Muted two'))]);
    const groups = await list('q=muted');
    const [one, two] = ['Muted one', 'Muted two'].map((kind) => groups.find(({ title }) => title === kind));
    await user.api.patch(`/groups/${one?.id}`, { muteForCount: 3 });
    const { body: merged } = await user.api.post(`/groups/${one?.id}/merge`, { ids: [two?.id] });
    expect(merged).toMatchObject({ state: 'muted', count: 6, muteForCount: 3 });
    await send([event('Muted one'), event('Muted two')]);
    const { body: apart } = await user.api.delete(`/groups/${one?.id}/merged/${two?.id}`);
    expect(apart).toMatchObject({ state: 'muted', count: 2, muteForCount: 1 });
    await send([event('Muted one')]);
    expect((await user.api.get(`/groups/${one?.id}`)).body).toMatchObject({ state: 'open', count: 3 });
  });

  it('merges groups one after the other for concurrent requests', async () => {
    const kinds = ['Together a', 'Together b', 'Together c'];
    await send(kinds.map((kind) => event(kind)));
    const groups = await list('q=together');
    const [a, b, c] = kinds.map((kind) => groups.find(({ title }) => title === kind)?.id);
    const merge = (into: string | undefined, one: string | undefined) =>
      user.api.post(`/groups/${into}/merge`, { ids: [one] });
    for (let round = 0; round < 8; round++) {
      const answers = await Promise.all([merge(a, b), merge(b, a), merge(b, c), merge(c, a)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      const [head, ...others] = await list('q=together');
      expect(others).toEqual([]);
      expect(head).toMatchObject({ count: 3 });
      const { body } = await user.api.get(`/groups/${head?.id}`);
      expect(body.merged.map(({ count }: ListedGroup) => count)).toEqual([1, 1]);
      for (const { id } of body.merged) await user.api.delete(`/groups/${head?.id}/merged/${id}`);
      expect((await list('q=together')).map(({ count }) => count)).toEqual([1, 1, 1]);
    }
  });

  it('refuses a cursor beyond all times', async () => {
    const cursor = `8640000000000001-${'0'.repeat(26)}`;
    expectProblem(await user.api.get(`/groups?cursor=${cursor}`), 'validation_failed');
    expect((await user.api.get(`/groups?cursor=8640000000000000-${'0'.repeat(26)}`)).status).toBe(200);
  });

  it('shows the times of a group’s events', async () => {
    const [group] = await list('q=card');
    const { body } = await user.api.get(`/groups/${group?.id}`);
    const sum = (counts: { count: number }[]) => counts.reduce((total, { count }) => total + count, 0);
    expect(body.hours).toHaveLength(24);
    expect(body.days).toHaveLength(30);
    expect([sum(body.hours), sum(body.days)]).toEqual([4, 4]);
  });

  it('counts the events of several groups by minute, hour and day', async () => {
    const [card, basket] = [(await list('q=card'))[0], (await list('q=basket'))[0]];
    const foreign = 'grp_01h455vb4pex5vsknk084sn02q';
    for (const [unit, intervalSeconds, buckets] of [
      ['minute', 60, 60],
      ['hour', 3_600, 24],
      ['day', 86_400, 30],
    ]) {
      const { body } = await user.api.get(
        `/groups/counts?unit=${unit}&ids=${card?.id},${basket?.id},${foreign},x`,
      );
      expect(body).toMatchObject({
        intervalSeconds,
        groups: [{ id: card?.id }, { id: basket?.id }, { id: foreign }],
      });
      const sums = body.groups.map(({ counts }: { counts: number[] }) => {
        expect(counts).toHaveLength(Number(buckets));
        return counts.reduce((total, count) => total + count, 0);
      });
      expect(sums).toEqual([4, basket?.count, 0]);
    }
  });

  it('counts no events of the groups of another organization', async () => {
    const stranger = await service.signUp();
    const [group] = await list('q=card');
    const { body } = await stranger.api.get(`/groups/counts?unit=day&ids=${group?.id}`);
    expect(new Set(body.groups[0].counts)).toEqual(new Set([0]));
  });

  it('refuses to count the events of more than 100 groups', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => `grp_${index}`).join(',');
    expectProblem(await user.api.get(`/groups/counts?unit=day&ids=${ids}`), 'validation_failed');
    expectProblem(await user.api.get('/groups/counts?unit=week&ids=grp_1'), 'validation_failed');
  });

  it('counts the events of a group by release, the last release first', async () => {
    await send([
      event('The parcel is lost', { release: '3.0.0' }),
      event('The parcel is lost', { release: '3.1.0' }),
      event('The parcel is lost', { release: ' 3.1.0 ' }),
      event('The parcel is lost'),
    ]);
    const [group] = await list('q=parcel');
    const { status, body, headers } = await user.api.get(`/groups/${group?.id}/releases`);
    expect(status).toBe(200);
    expect(headers.get('scanned-from')).toBeNull();
    expect(body.map(({ version, events }: Record<string, unknown>) => [version, events])).toEqual([
      ['3.1.0', 2],
      ['3.0.0', 1],
      [null, 1],
    ]);
    expectProblem(await user.api.get('/groups/grp_1/releases'), 'not_found');
  });

  it('lists the releases of a group in pages, those without one at the end', async () => {
    await send([
      ...['4.0.0', '4.1.0', '4.2.0'].map((release) => event('The invoice is lost', { release })),
      event('The invoice is lost'),
    ]);
    const [group] = await list('q=invoice');
    const pages = await readPages(user.api, `/groups/${group?.id}/releases?limit=1`);
    const versionsOf = ({ body }: (typeof pages)[number]) =>
      body.map(({ version }: { version: string | null }) => version);
    expect(pages.map(versionsOf)).toEqual([['4.2.0'], ['4.1.0'], ['4.0.0'], [null]]);
    expectProblem(await user.api.get(`/groups/${group?.id}/releases?cursor=x`), 'validation_failed');
  });

  it('lists the incidents of a group, with its events during them', async () => {
    const disks = await user.createProject('Disks');
    await disks.ingest.post('/ingest/bulk', [
      event('The disk is full', { severity: 'CRITICAL', type: 'disk' }),
      event('All is well', { severity: 'INFO', type: 'disk' }),
    ]);
    await service.settled();
    const { body: incidents } = await user.api.get(`/incidents?project_id=${disks.id}`);
    const { body: groups } = await user.api.get(`/groups?project_id=${disks.id}`);
    const incidentsOf = async (text: string) => {
      const { id } = groups.find(({ title }: ListedGroup) => title.includes(text));
      return (await user.api.get(`/groups/${id}/incidents`)).body;
    };
    expect(incidents).toHaveLength(1);
    expect(await incidentsOf('full')).toMatchObject([{ incident: { id: incidents[0].id }, count: 1 }]);
    expect(await incidentsOf('well')).toEqual([]);
  });

  it('keeps in the history of a group the release in which it regressed', async () => {
    await send([event('The stock is wrong', { release: '5.0.0' })]);
    const [group] = await list('q=stock');
    await user.api.patch(`/groups/${group?.id}`, { state: 'resolved', resolvedIn: 'current' });
    await send([event('The stock is wrong', { release: '5.1.0' })]);
    const { body } = await user.api.get(`/groups/${group?.id}/history`);
    expect(body).toMatchObject([
      { userId: null, before: { resolvedIn: '5.0.0' }, after: { state: 'open', regressedIn: '5.1.0' } },
      { userName: expect.any(String), after: { state: 'resolved' } },
    ]);
  });
});
