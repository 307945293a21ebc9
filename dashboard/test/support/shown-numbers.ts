import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { StoredEvent } from '../../../server/test/risk/project-life.ts';
import type { IncidentDetail } from '../../src/lib/api-types.ts';
import * as words from './expected-numbers.ts';
import type { Lead } from './incident-lives.ts';
import { countByMinute, MINUTE_MS, type Truth, usersOf } from './incident-truth.ts';

/** Rows of a page of the list of events. */
const PAGE_SIZE = 200;
const GROUPS_SHOWN = 4;

/** Numbers that an incident has to show. */
export interface ExpectedNumbers {
  incident: IncidentDetail;
  lead: Lead;
  truth: Truth;
  nowMs: number;
  /** Events of the lead in each minute, also those before the incident. */
  minutes: ReadonlyMap<number, number>;
  /** Name of the assertion: kind and situation. */
  name: string;
  /** All events of the project, newest first. */
  stored: StoredEvent[];
  /** Keys of the project's groups. */
  keys: string[];
  /** Expected counts of the chart. */
  usual: number[];
  /** Attached series: all texts about their counts, and those that have to be there. */
  joined: { at: string; isSuperset: boolean; texts: string[]; shown: string[] }[];
}

const main = (page: Page) => page.getByRole('main');
const linesOf = async (texts: Promise<string[]>) =>
  (await texts).map((text) => text.replaceAll(/\s+/g, ' ').trim());

/** Compares every number of an open incident page. */
export async function expectPage(page: Page, expected: ExpectedNumbers): Promise<void> {
  const { incident, lead, truth, nowMs, name } = expected;
  const isOver = incident.until !== null;
  const head = main(page).locator('header').first();
  await head.getByRole('heading', { level: 1, name: incident.title, exact: true }).waitFor();
  const facts = await linesOf(head.locator('dd, p > span').allInnerTexts());
  const { observed = 0, usual = 0 } = incident.rate ?? {};
  const rate = isOver ? words.atFirst(lead, observed, usual ?? 0) : words.now(lead, truth, usual ?? 0);
  if (incident.release)
    expect.soft(facts.join(' '), `${name}: release`).toContain(words.releaseOf(truth.events));
  const people = usersOf(truth.events);
  const affected = [people > 0 ? words.users(people) : [], words.payments(truth.events) ?? []].flat();
  const shown = [
    ...(rate.length > 0 ? [rate.join(' · ')] : []),
    ...(truth.events.length > 0 ? [truth.events.length.toLocaleString('en-GB')] : []),
    ...(affected.length > 0 ? [affected.join(' · ')] : []),
  ];
  expect.soft(facts, `${name}: head`).toEqual(expect.arrayContaining(shown));
  if (truth.events.length === 0)
    expect.soft(facts.join(' '), `${name}: head`).not.toMatch(/\d (?:events?|users?)\b/);
  const time = words.time(truth.sinceMs, isOver ? Date.parse(incident.until ?? '') : nowMs, isOver);
  expect.soft(facts, `${name}: time`).toContain(time);
  const sentence = await head.locator('p.sr-only').innerText();
  for (const part of [
    ...rate.map(words.spelt),
    ...(people > 0 ? [words.users(people)] : []),
    words.timeOfDay(truth.sinceMs),
  ])
    expect.soft(sentence, `${name}: sentence`).toContain(part);
  await expectGroups(page, expected);
  // The bars of payments are shares.
  if (lead.kind !== 'payments') await expectChart(page, expected);
  await expectJoined(page, expected);
  const notes = (await main(page).getByRole('region', { name: 'Timeline' }).innerText()).replaceAll(
    /\s+/g,
    ' ',
  );
  for (const { note } of incident.timeline)
    for (const number of note?.match(/\d+ in \d+ min/g) ?? [])
      expect.soft(notes, `${name}: timeline`).toContain(number);
}

async function expectGroups(page: Page, { truth, name }: ExpectedNumbers): Promise<void> {
  const groups = words.groupsOf(truth.events);
  const rows = page.getByRole('list', { name: 'Groups' }).getByRole('listitem');
  await expect
    .poll(() => rows.count(), { message: `${name}: groups` })
    .toBe(Math.min(groups.length, GROUPS_SHOWN));
  const texts = await linesOf(rows.allInnerTexts());
  for (const [index, group] of groups.entries())
    expect.soft(texts[index], `${name}: group`).toContain(words.groupFacts(group).join(' · '));
  const affected = page.getByRole('region', { name: 'Most affected' });
  if (truth.events.length === 0) {
    expect.soft(await affected.count(), `${name}: affected`).toBe(0);
    return;
  }
  await affected.getByText(`In the ${words.events(truth.events.length)}`).waitFor();
  expect.soft(await affected.innerText(), `${name}: affected`).toContain(words.users(usersOf(truth.events)));
  const newest = page.getByRole('region', { name: 'Newest event', exact: true });
  const href = await newest.getByRole('link', { name: 'Open event' }).getAttribute('href');
  expect.soft(href, `${name}: newest event`).toContain(truth.events[0]?.id);
}

/** Compares each bar of the chart. */
async function expectChart(
  page: Page,
  { minutes, name }: Pick<ExpectedNumbers, 'minutes' | 'name'>,
): Promise<void> {
  await main(page).getByRole('button', { name: 'Table', exact: true }).click();
  const rows = main(page).getByRole('table').getByRole('row');
  // The first has the names of the columns; the others come with the counts.
  await rows.nth(1).waitFor();
  const texts = await linesOf(rows.allInnerTexts());
  const bars = texts.flatMap((text) => {
    const [, clock, count] = /(\d\d:\d\d) – .*?(?:\d\d:\d\d)?\s([\d,]+)/.exec(text) ?? [];
    return clock === undefined || count === undefined
      ? []
      : [[clock, Number(count.replaceAll(',', ''))] as const];
  });
  const counted = new Map([...minutes].map(([minuteMs, count]) => [words.clockOf(minuteMs), count]));
  expect.soft(bars.length, `${name}: chart`).toBeGreaterThan(0);
  for (const [clock, count] of bars)
    expect.soft([clock, count], `${name}: chart`).toEqual([clock, counted.get(clock) ?? 0]);
}

/** Compares the count of each series that joined, and of the folded totals. */
async function expectJoined(page: Page, { joined: all, name }: ExpectedNumbers): Promise<void> {
  for (const [list, isSum] of [
    [/^(?:Also|More) affected$/, false],
    [/^also seen in the project’s totals$/, true],
  ] as const) {
    const joined = all.filter(({ isSuperset }) => isSuperset === isSum);
    const rows = page.getByRole('list', { name: list, includeHidden: true }).locator('li');
    const texts = await rows.allTextContents();
    expect.soft(texts.length, `${name}: joined`).toBe(joined.length);
    for (const [index, { shown }] of joined.entries())
      for (const part of shown) expect.soft(texts[index], `${name}: joined`).toContain(part);
  }
}

/** Compares the numbers of an incident's row in a list, and what tells it from others. */
export async function expectRow(
  page: Page,
  { incident, lead, truth, nowMs, name }: ExpectedNumbers,
): Promise<void> {
  const row = main(page).locator(`a[href$="/incidents/${incident.id}"]`).first();
  await row.waitFor();
  const text = (await row.innerText()).replaceAll(/\s+/g, ' ');
  const [group] = words.groupsOf(truth.events);
  const { observed = 0, usual = 0 } = incident.rate ?? {};
  const rate = words.atFirst(lead, observed, usual ?? 0);
  for (const part of [
    ...(rate.length > 0 ? [rate.join(', ')] : []),
    ...(group ? [lead.series] : []),
    ...(new URL(page.url()).pathname.endsWith('/incidents')
      ? [truth.events.length > 0 ? words.events(truth.events.length) : incident.title]
      : []),
    `${Math.floor((nowMs - Date.parse(incident.createdAt)) / MINUTE_MS) || 'now'}`,
  ])
    expect.soft(text, `${name}: row of ${new URL(page.url()).pathname}`).toContain(part);
}

/** Compares the list of events and its chart. */
export async function expectListed(page: Page, count: number, name: string): Promise<void> {
  await page.getByRole('button', { name: /^Remove filter incident/ }).waitFor();
  const grid = page.getByRole('grid');
  // A list longer than a page does not know its length; its chart does.
  const rows = count > PAGE_SIZE ? -1 : count + 1;
  await expect
    .poll(() => grid.getAttribute('aria-rowcount'), { message: `${name}: events` })
    .toBe(String(rows));
  const chart = page.getByRole('figure', { name: 'Events over time' });
  await chart.getByText(words.events(count), { exact: false }).first().waitFor();
}

/** Group of a project, with its stored events. */
export interface StoredGroup {
  id: string;
  title: string;
  key: string;
  events: StoredEvent[];
}

/** Compares the rows of the list of groups: events of the last day and of all time, and users. */
export async function expectGroupList(page: Page, groups: StoredGroup[]): Promise<void> {
  for (const { id, key, events } of groups) {
    const row = main(page)
      .getByRole('listitem')
      .filter({ has: page.locator(`[data-group="${id}"]`) });
    const day = `${events.length.toLocaleString('en-GB')} in the last 24 hours`;
    await row.getByText(day).waitFor({ state: 'attached' });
    const cells = (await row.innerText()).split('\n');
    const numbers = [String(events.length), String(usersOf(events))];
    expect.soft(cells, `${key} in the list of groups`).toEqual(expect.arrayContaining(numbers));
  }
}

/** Compares the page of a group: its events, its users, its chart of the last hour, and its events in an incident. */
export async function expectGroupPage(
  page: Page,
  { title, key, events }: StoredGroup,
  { incident, truth }: ExpectedNumbers,
): Promise<void> {
  const figure = main(page).locator('header p > span[aria-hidden]:has(strong)');
  const shown = `${words.events(events.length)} · ${usersOf(events) === 0 ? 'no users identified' : words.users(usersOf(events))}`;
  await expect.poll(() => figure.innerText(), { message: key }).toBe(shown);
  await main(page).getByRole('button', { name: 'Last hour' }).click();
  await main(page).getByRole('figure', { name: 'Events, last hour' }).waitFor();
  await expectChart(page, { minutes: countByMinute(events), name: key });
  const counted = truth.events.filter(({ message }) => message === title).length;
  const row = page
    .getByRole('region', { name: 'Incidents' })
    .getByRole('listitem')
    .filter({ hasText: incident.title })
    .last();
  expect.soft(await row.innerText(), `${key}: incident`).toContain(words.events(counted));
}

/** Compares the total and the legend of the overview's chart. */
export async function expectEventsOverTime(
  page: Page,
  stored: readonly { severity: string }[],
): Promise<void> {
  const chart = main(page).getByRole('figure', { name: 'Events over time' });
  await chart.getByText(words.events(stored.length)).first().waitFor();
  for (const severity of ['info', 'warn', 'error', 'critical']) {
    const count = stored.filter((event) => event.severity === severity).length;
    const name = new RegExp(String.raw`${severity}\D*${count.toLocaleString('en')}$`);
    expect.soft(await chart.getByRole('button', { name }).count(), `${severity} of the overview`).toBe(1);
  }
}

/** Compares the chart, the top lists and the ledger of the overview with the stored events of all projects. */
export async function expectOverview(
  page: Page,
  stored: { severity: string; type: string; source: string; message: string }[],
): Promise<void> {
  const total = stored.length.toLocaleString('en');
  await main(page).getByText(`All ${total} events received are stored.`).waitFor();
  await expectEventsOverTime(page, stored);
  for (const by of ['type', 'source'] as const) {
    const rows = main(page)
      .getByRole('region', { name: `Top ${by}s` })
      .getByRole('listitem');
    await rows.first().waitFor();
    const texts = await linesOf(rows.allInnerTexts());
    expect.soft(texts.length, `top ${by}s`).toBeGreaterThan(3);
    for (const text of texts) {
      const [, value = ''] = /(\S+) \S+$/.exec(text) ?? [];
      const count = stored.filter((event) => event[by] === value).length;
      expect.soft(text.endsWith(` ${words.compact(count)}`), `top ${by}s: ${text}`).toBe(true);
    }
  }
}
