import { describe, expect, it } from 'vitest';
import { toUuid } from '../../server/src/platform/ids.ts';
import { beginProject } from '../../server/test/risk/project-life.ts';
import { evaluatedUntil, passTime, QUICK_PACE } from '../../server/test/risk/support.ts';
import { middleOfToday, StillClock } from '../../server/test/support/clock.ts';
import { startMailServer } from '../../server/test/support/mail-server.ts';
import { longForm, rounds } from '../../server/test/support/test-length.ts';
import { scaled } from '../../server/test/support/time-scale.ts';
import { waitFor } from '../../server/test/support/wait.ts';
import { createRoute, createWebhook, startWebhookTarget } from '../../server/test/support/webhook-target.ts';
import type { Incident, IncidentDetail } from '../src/lib/api-types.ts';
import { startTestService, visit } from './support/browser.ts';
import * as words from './support/expected-numbers.ts';
import { LIVES, type Life, type SentCount } from './support/incident-lives.ts';
import {
  countAttached,
  countByMinute,
  countTruth,
  MINUTE_MS,
  minuteOf,
  usersOf,
} from './support/incident-truth.ts';
import {
  type ExpectedNumbers,
  expectEventsOverTime,
  expectGroupList,
  expectGroupPage,
  expectListed,
  expectOverview,
  expectPage,
  expectRow,
  type StoredGroup,
} from './support/shown-numbers.ts';
import * as numbers from './support/unread-numbers.ts';
import { expectNoOtherNumbers, findOtherNumbers } from './support/unread-numbers.ts';

/** Decodes the text of a mail as quoted-printable. */
const decodeMail = (text: string) =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString('utf8');

type Situation = 'opened' | 'joined' | 'led' | 'resolved';

/**
 * Kinds whose pages the short form reads in a situation: those of the others have a lead of the same kind. The numbers of the API
 * and of messages are compared for all kinds.
 */
const SHOWN: Record<Situation, readonly string[]> = {
  opened: Object.keys(LIVES).filter((kind) => LIVES[kind]?.worse !== null),
  joined: ['rise'],
  led: ['rise', 'payments'],
  resolved: ['rise', 'silence to the end', 'payments to the end'],
};

/**
 * Reads each number of incidents on the pages and in messages, and compares it with the API and with an independent count of the
 * events that are stored.
 */
describe('the numbers of incidents', { timeout: scaled(240_000) }, async () => {
  // All that is read at one moment is computed for the same one.
  const clock = new StillClock(middleOfToday());
  const mail = await startMailServer();
  const service = await startTestService({
    clock,
    riskPace: QUICK_PACE,
    environment: {
      OUTBOUND_ALLOW: '127.0.0.1',
      SMTP_URL: mail.url,
      SMTP_FROM: 'Tocsin <tocsin@example.com>',
    },
  });
  const user = await service.signUp();
  const webhook = await startWebhookTarget();
  const slack = await startWebhookTarget();

  /** A project of a kind of incident, with a webhook of its own. */
  const beginLife = async (kind: string, life: Life) => {
    const project = await beginProject(service, clock, user, kind);
    const { id: targetId } = await createWebhook(user, webhook, { name: kind });
    await createRoute(user, targetId, { projectId: project.id, minSeverity: 'info' });
    const [rate, event] = life.usual;
    await project.learn(rate, event);
    return { kind, life, project };
  };
  type LifeOfProject = Awaited<ReturnType<typeof beginLife>>;

  /** Lets a minute pass, in which each project sends, until all messages about it have been sent. */
  const runMinute = async (lives: LifeOfProject[], sentBy: (life: Life) => readonly SentCount[]) => {
    // A message about the minute before must not be composed while these events come: the clock stands still meanwhile.
    await passTime(service, clock, 10_000);
    await messagesSent();
    await expectMessages(lives);
    for (const { life, project } of lives) await project.sendAll(sentBy(life));
    await passTime(service, clock, MINUTE_MS - 10_000);
    await evaluatedUntil(service, clock.now());
    await messagesSent();
    await expectMessages(lives);
  };
  /** Compares the facts of messages since the last minute with the events that were stored when they were composed. */
  const expectMessages = async (lives: LifeOfProject[]) => {
    for (const { type, timestamp, data } of webhook.received.splice(0)) {
      const { incident } = data;
      const lived = lives.find(({ project }) => project.id === incident?.projectId);
      if (!lived || !incident) throw new Error(`Nothing is known of a message ${type}.`);
      const { body: list } = await user.api.get(`/incidents?project_id=${lived.project.id}`);
      if (incident.id !== list.at(-1).id) continue;
      const { lead, worse } = lived.life;
      const own =
        [lead, ...(worse ? [worse.lead] : [])].find(({ title }) => title === incident.title) ?? lead;
      const untilMs = incident.until === null ? null : Date.parse(incident.until);
      const truth = await countTruth(lived.project, own, { nowMs: Date.parse(timestamp), untilMs });
      const facts: { label: string; value: string }[] = data['facts'];
      const numbers = facts.filter(({ label }) =>
        ['Error', 'Events', 'Payments', 'Users', 'Now'].includes(label),
      );
      const release = facts.find(({ label }) => label === 'Release')?.value;
      const name = `${lived.kind}: message ${type}`;
      const shown = Object.fromEntries(numbers.map(({ label, value }) => [label, value]));
      expect.soft(shown, name).toEqual(words.messageFacts(own, truth, incident));
      if (release) expect.soft(release, name).toContain(words.releaseOf(truth.events));
      const { timeline } = (await user.api.get(`/incidents/${incident.id}`)).body as IncidentDetail;
      const said = [...data['lines'], ...facts.map(({ value }) => value)].join('\n');
      const sentences = [incident.evidence.sentence, ...timeline.map(({ note }) => note ?? '')];
      const known = [
        ...Object.values(shown),
        words.releaseOf(truth.events),
        ...sentences.flatMap(words.quoted),
      ];
      expect.soft(findOtherNumbers(said, known), `${name}: other numbers`).toEqual([]);
      expect.soft(incident.eventCount, name).toBe(truth.events.length);
    }
  };
  /** Sends the messages of a project to Slack and to the user’s confirmed address as well. */
  const notifyPeople = async ({ project }: LifeOfProject) => {
    for (const [kind, config] of [
      ['slack', { webhookUrl: slack.url }],
      ['email', { to: user.email }],
    ] as const) {
      const { body: target } = await user.api.post('/notification-targets', { kind, name: kind, config });
      await createRoute(user, target.id, { projectId: project.id, minSeverity: 'info' });
    }
    // Without PUBLIC_URL, which the pages of this service do not have, no link can confirm it.
    await service.database.pool.query('UPDATE mail_recipients SET confirmed_at = $1', [
      new Date(clock.now()),
    ]);
  };
  /** Compares the facts in the first text to Slack and by mail with the events stored in the minute before. */
  const expectTexts = async (lived: LifeOfProject) => {
    const { incident, lead, truth } = await expectedOf(lived, 'opened');
    const rates = new Set<string | undefined>();
    for (let beforeMs = 0; beforeMs <= 2 * MINUTE_MS; beforeMs += 10_000) {
      const nowMs = clock.now() - beforeMs;
      const { Now } = words.messageFacts(
        lead,
        await countTruth(lived.project, lead, { nowMs, untilMs: null }),
        incident,
      );
      rates.add(Now);
    }
    const { Now: _, ...facts } = words.messageFacts(lead, truth, incident);
    for (const text of [slack.received[0]?.body ?? '', decodeMail(mail.received[0]?.text ?? '')]) {
      const shown = Object.fromEntries(
        [...text.matchAll(/(Error|Events|Payments|Users|Now): (.*?) · /g)].map(
          ([, label = '', value = '']) => [label, value] as const,
        ),
      );
      expect.soft(shown, text).toEqual({ ...facts, Now: expect.any(String) });
      expect.soft([...rates], text).toContain(shown['Now']);
      const sentence = incident.evidence?.sentence ?? '';
      const named = Object.entries(shown).map(([label, value]) => `${label}: ${value}`);
      const known = [...named, words.releaseOf(truth.events), ...words.quoted(sentence)];
      expect.soft(findOtherNumbers(text, known), 'other numbers').toEqual([]);
    }
  };
  const messagesSent = () =>
    waitFor('all messages to be sent', async () => {
      const { rows } = await service.database.pool.query(
        `SELECT FROM deliveries WHERE state = 'pending' AND due_at <= $1`,
        [new Date(clock.now())],
      );
      return rows.length === 0;
    });

  /** Returns the first incident of a project, with its numbers counted anew. */
  const expectedOf = async (
    { kind, life, project }: LifeOfProject,
    situation: Situation,
  ): Promise<ExpectedNumbers> => {
    const { body: list } = await user.api.get(`/incidents?project_id=${project.id}`);
    const { id } = list.at(-1);
    const name = `${kind}, ${situation}`;
    const isLed = situation === 'led' || situation === 'resolved';
    const lead = (isLed && life.worse?.lead) || life.lead;
    const nowMs = clock.now();
    const read = async () => (await user.api.get(`/incidents/${id}`)).body as IncidentDetail;
    const { resolvedAt } = await read();
    const untilMs = resolvedAt === null ? null : Date.parse(resolvedAt);
    const truth = await countTruth(project, lead, { nowMs, untilMs });
    const counted = truth.events.length;
    const incident = await waitFor(`${name}: the count of the API to be that of the events`, async () => {
      const current = await read();
      return current.eventCount === counted && current;
    });
    const { rate } = incident;
    expect.soft(incident.title, name).toBe(lead.title);
    expect.soft(Date.parse(incident.since), `${name}: since`).toBe(truth.sinceMs);
    expect
      .soft(incident.facts?.users, `${name}: users`)
      .toEqual({ count: usersOf(truth.events), isExact: true });
    expect
      .soft(incident.facts?.failedPayments?.text ?? null, `${name}: payments`)
      .toBe(words.payments(truth.events));
    if (rate?.usual)
      expect.soft(Math.abs(rate.usual - lead.usual), `${name}: usual`).toBeLessThan(0.1 + lead.usual / 20);
    if (!resolvedAt) {
      expect.soft(incident.current, `${name}: current`).toMatchObject({
        perMinute: Number(truth.perMinute.toPrecision(4)),
        trend: truth.trend,
        peak: { perMinute: truth.peak.perMinute, at: new Date(truth.peak.atMs).toISOString() },
      });
    }
    const stored = await project.stored('true', 0, nowMs);
    const { body: groups } = await user.api.get(`/groups?project_id=${project.id}`);
    const keys = groups.map(({ key }: { key: string }) => key);
    const joined: ExpectedNumbers['joined'] = [];
    for (const series of incident.evidence?.alsoSeries ?? []) {
      const { at, isSuperset, kind, rule, observed } = series;
      const isCounted = kind !== 'new_kind';
      const now = await countAttached(project, series, nowMs);
      const { counts, now: present } = words.attached(series, now);
      if (isCounted && rule !== 'failed_payments')
        expect.soft(observed, `${name}: ${JSON.stringify(series)}`).toBe(now.observed);
      const texts = isCounted ? [...counts, present] : [];
      const shown = isCounted ? [counts[0] ?? '', ...(resolvedAt ? [] : [present])] : [];
      joined.push({ at, isSuperset, texts, shown });
    }
    const minutes = countByMinute(await project.stored(lead.clause));
    const { body: points } = await user.api.get(`/incidents/${id}/points`);
    const usual = points.points.flatMap(({ expected }: { expected: number | null }) => expected ?? []);
    return { incident, lead, truth, nowMs, minutes, name, stored, keys, usual, joined };
  };

  it('shows the counted numbers of each kind of incident after it opened, after another series joined and became the lead, and after its end', async () => {
    const lives: LifeOfProject[] = [];
    for (const [kind, life] of Object.entries(LIVES)) lives.push(await beginLife(kind, life));
    const [rise] = lives;
    const { page, open, faults } = await visit(service, user);
    const show = async (path: string) => {
      await page.clock.setFixedTime(clock.now());
      await open(path);
    };
    const check = async (situation: Situation) => {
      const all: ExpectedNumbers[] = [];
      for (const lived of lives) {
        const expected = await expectedOf(lived, situation);
        all.push(expected);
        if (!longForm && !SHOWN[situation].includes(lived.kind)) continue;
        await show(`/incidents/${expected.incident.id}`);
        await expectPage(page, expected);
        await expectNoOtherNumbers(page, numbers.numbersOfPage(expected), expected.name);
        if (situation === 'opened' || (situation === 'led' && lived === rise))
          await checkEvents(expected, lived);
      }
      // Rows of lists show nothing of what joins.
      if (!longForm && situation === 'joined') return all;
      await show('/incidents?status=all');
      for (const expected of all) await expectRow(page, expected);
      const { body: incidents } = await user.api.get('/incidents');
      const further = await readFurther(incidents, all);
      const listed = [...numbers.numbersOfList(all, incidents), ...further];
      await expectNoOtherNumbers(page, listed, `list, ${situation}`);
      if (!longForm && situation === 'led') return all;
      await show('/');
      const open = page.getByRole('region', { name: 'Open incidents' });
      const storedByAll = await storedOfAll();
      await expectOverview(page, storedByAll);
      const isOpen = ({ status }: Incident) => status !== 'resolved';
      await expectNoOtherNumbers(
        page,
        [...numbers.numbersOfOverview(all, storedByAll, incidents.filter(isOpen).length), ...further],
        `overview, ${situation}`,
      );
      for (const expected of all)
        if ((await open.locator(`a[href$="/${expected.incident.id}"]`).count()) > 0)
          await expectRow(page, expected);
      await show('/groups?severity=all');
      const groups = await storedGroups(lives);
      await expectGroupList(page, groups);
      await expectNoOtherNumbers(page, numbers.numbersOfGroups(groups), `groups, ${situation}`);
      return all;
    };
    /** Returns the texts of incidents that began when the first one of their project was over, and compares their counts. */
    const readFurther = async (incidents: Incident[], all: readonly ExpectedNumbers[]) => {
      const texts: string[] = [];
      for (const { id, projectId, title, since, rate, eventCount, createdAt } of incidents) {
        const lived = lives.find(({ project }) => project.id === projectId);
        const lead = [lived?.life.lead, lived?.life.worse?.lead].find((one) => one?.title === title);
        if (!lived || !lead || all.some(({ incident }) => incident.id === id)) continue;
        const { length } = await lived.project.stored(lead.clause, Date.parse(since), clock.now());
        const isAbsence = lead.kind === 'drop' || lead.kind === 'silence';
        expect.soft(eventCount, `${lived.kind}: the further incident`).toBe(isAbsence ? 0 : length);
        texts.push(
          ...numbers.agesOf([Date.parse(createdAt)], clock.now()),
          words.events(length),
          words.atFirst(lead, rate?.observed ?? 0, rate?.usual ?? 0).join(', '),
        );
      }
      return texts;
    };
    /** Checks the events of the incident shown as its link lists them, and in a narrower range. */
    const checkEvents = async (expected: ExpectedNumbers, { project }: LifeOfProject) => {
      const { incident, truth, minutes, lead, name } = expected;
      if (truth.events.length === 0) return;
      await page
        .getByRole('link', { name: `View all ${words.events(truth.events.length)}`, exact: true })
        .click();
      await expectListed(page, truth.events.length, name);
      if (!longForm && lead !== rise?.life.lead) return;
      const from = new Date(truth.sinceMs).toISOString();
      const to = new Date(minuteOf(truth.sinceMs) + MINUTE_MS).toISOString();
      await show(`/events?project=${project.id}&incident_id=${incident.id}&from=${from}&to=${to}`);
      await expectListed(page, minutes.get(minuteOf(truth.sinceMs)) ?? 0, `${name}, narrowed`);
      await show(`/?project=${project.id}&from=${from}&to=${to}`);
      await expectEventsOverTime(page, await storedOfProject(project.id, [from, to]));
      const { body: groups } = await user.api.get(`/incidents/${incident.id}/groups`);
      const [largest] = await storedGroups([{ project }], groups[0].group.title);
      if (!largest) throw new Error(`${lead.title} has no group.`);
      await show(`/groups/${largest.id}`);
      await expectGroupPage(page, largest, expected);
      await expectNoOtherNumbers(page, numbers.numbersOfGroup(largest, expected), `group, ${name}`);
    };

    if (rise) await notifyPeople(rise);
    const usual = ({ usual: each }: Life) => [each];
    const trouble = (life: Life) => life.trouble;
    for (let minute = 0; minute < rounds(2, 6); minute++) await runMinute(lives, usual);
    for (let minute = 2; minute > 0; minute--)
      await runMinute(lives, (life) => ((life.earlier ?? 0) >= minute ? life.trouble : [life.usual]));
    await runMinute(lives, trouble);
    if (rise) await expectTexts(rise);
    await runMinute(lives, trouble);
    await check('opened');
    await runMinute(lives, (life) => [...life.trouble, life.joiner]);
    await check('joined');
    await runMinute(lives, (life) => [...life.trouble, ...(life.worse ? [life.worse.sent] : [])]);
    await check('led');
    for (const lived of lives) {
      const { incident } = await expectedOf(lived, 'led');
      expect((await user.api.patch(`/incidents/${incident.id}`, { status: 'resolved' })).status).toBe(200);
    }
    await messagesSent();
    await expectMessages(lives);
    await runMinute(lives, trouble);
    const resolved = await check('resolved');

    // Retention removes events with their counts: the number stays, and the page says since when events are kept.
    const kept = resolved.at(-1);
    const { project } = lives.at(-1) ?? {};
    if (!kept || !project) throw new Error('There is an incident of payments.');
    const keptMs = kept.truth.sinceMs + 2 * MINUTE_MS;
    const before = [toUuid('proj', project.id), new Date(keptMs)];
    for (const condition of [
      'event_counts WHERE project_id = $1 AND minute',
      'events WHERE project_id = $1 AND received_at',
    ])
      await service.database.pool.query(`DELETE FROM ${condition} < $2`, before);
    await show(`/incidents/${kept.incident.id}`);
    const last = page.getByRole('region', { name: 'Newest events' });
    await last.getByText(`Retention removed events before ${words.timeOfDay(keptMs)}.`).waitFor();
    await page.getByRole('link', { name: String(kept.truth.events.length), exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  const storedOfProject = async (projectId: string, [from, to]: [from: string, to: string]) => {
    const { rows } = await service.database.pool.query<{ severity: string }>(
      `SELECT severity FROM events WHERE project_id = $1
        AND ('x' || encode(substring(uuid_send(id) FOR 6), 'hex'))::bit(48)::bigint BETWEEN $2 AND $3`,
      [toUuid('proj', projectId), Date.parse(from), Date.parse(to) - 1],
    );
    return rows;
  };

  const storedOfAll = async () => {
    const { rows } = await service.database.pool.query<
      Record<'severity' | 'type' | 'source' | 'message', string>
    >('SELECT severity, type, source, message FROM events WHERE organization_id = $1', [
      toUuid('org', user.organizationId),
    ]);
    return rows;
  };

  /** Returns the groups of projects that the API lists, with the events stored under their titles. */
  const storedGroups = async (lives: Pick<LifeOfProject, 'project'>[], title?: string) => {
    const groups: StoredGroup[] = [];
    for (const { project } of lives) {
      const { body } = await user.api.get(`/groups?project_id=${project.id}`);
      const events = await project.stored('true');
      for (const group of body)
        if (title === undefined || group.title === title)
          groups.push({ ...group, events: events.filter(({ message }) => message === group.title) });
    }
    return groups;
  };
});
