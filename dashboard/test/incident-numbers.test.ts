import { describe, expect, it } from 'vitest';
import { toUuid } from '../../server/src/platform/ids.ts';
import { beginProject } from '../../server/test/risk/project-life.ts';
import { evaluatedUntil, passTime, QUICK_PACE } from '../../server/test/risk/support.ts';
import { middleOf, StillClock } from '../../server/test/support/clock.ts';
import { startMailServer } from '../../server/test/support/mail-server.ts';
import { longForm, rounds } from '../../server/test/support/test-length.ts';
import { scaled } from '../../server/test/support/time-scale.ts';
import { waitFor } from '../../server/test/support/wait.ts';
import { createRoute, createWebhook, startWebhookTarget } from '../../server/test/support/webhook-target.ts';
import type { IncidentDetail } from '../src/lib/api-types.ts';
import { startTestService, visit } from './support/browser.ts';
import * as words from './support/expected-numbers.ts';
import { LIVES, type Life, type SentCount } from './support/incident-lives.ts';
import { countTruth, MINUTE_MS, minuteOf, usersOf } from './support/incident-truth.ts';
import {
  type ExpectedNumbers,
  expectGroupList,
  expectGroupPage,
  expectListed,
  expectOverview,
  expectPage,
  expectRow,
  type StoredGroup,
} from './support/shown-numbers.ts';

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
  opened: Object.keys(LIVES),
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
  const clock = new StillClock(middleOf(MINUTE_MS));
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
        [...text.matchAll(/(Error|Events|Payments|Users|Now): (.*?) · /g)].map(([, label, value]) => [
          label,
          value,
        ]),
      );
      expect.soft(shown, text).toEqual({ ...facts, Now: expect.any(String) });
      expect.soft([...rates], text).toContain(shown['Now']);
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
    const minutes = new Map<number, number>();
    for (const { atMs } of await project.stored(lead.clause))
      minutes.set(minuteOf(atMs), (minutes.get(minuteOf(atMs)) ?? 0) + 1);
    return { incident, lead, truth, nowMs, minutes, name };
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
    const check = async (situation: Situation, kinds = lives) => {
      const all: ExpectedNumbers[] = [];
      for (const lived of kinds) {
        const expected = await expectedOf(lived, situation);
        all.push(expected);
        if (!longForm && !SHOWN[situation].includes(lived.kind)) continue;
        await show(`/incidents/${expected.incident.id}`);
        await expectPage(page, expected);
        if (situation === 'opened' || (situation === 'led' && lived === rise))
          await checkEvents(expected, lived);
      }
      // Rows of lists show nothing of what joins.
      if (!longForm && situation === 'joined') return all;
      await show('/incidents?status=all');
      for (const expected of all) await expectRow(page, expected);
      if (!longForm && situation === 'led') return all;
      await show('/');
      const open = page.getByRole('region', { name: 'Open incidents' });
      await expectOverview(page, await storedOfAll());
      for (const expected of all)
        if ((await open.locator(`a[href$="/${expected.incident.id}"]`).count()) > 0)
          await expectRow(page, expected);
      await show('/groups?severity=all');
      await expectGroupList(page, await storedGroups(kinds));
      return all;
    };
    /** Checks the events of the incident shown as its link lists them, and in a narrower range. */
    const checkEvents = async (
      { incident, truth, minutes, lead, name }: ExpectedNumbers,
      { project }: LifeOfProject,
    ) => {
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
      const { body: groups } = await user.api.get(`/incidents/${incident.id}/groups`);
      const [largest] = await storedGroups([{ project }], groups[0].group.title);
      if (!largest) throw new Error(`${lead.title} has no group.`);
      await show(`/groups/${largest.id}`);
      await expectGroupPage(page, largest, { incident, truth, minutes, lead, name, nowMs: clock.now() });
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
    const changing = lives.filter(({ life }) => life.worse !== null);
    await check('opened', changing);
    await runMinute(lives, (life) => [...life.trouble, life.joiner]);
    await check('joined', changing);
    await runMinute(lives, (life) => [...life.trouble, ...(life.worse ? [life.worse.sent] : [])]);
    await check('led', changing);
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

  const storedOfAll = async () => {
    const { rows } = await service.database.pool.query<{ severity: string; type: string; source: string }>(
      'SELECT severity, type, source FROM events WHERE organization_id = $1',
      [toUuid('org', user.organizationId)],
    );
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
