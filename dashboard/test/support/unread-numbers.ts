import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { StoredEvent } from '../../../server/test/risk/project-life.ts';
import type { Incident } from '../../src/lib/api-types.ts';
import * as words from './expected-numbers.ts';
import { countByMinute, MINUTE_MS, minuteOf, usersOf } from './incident-truth.ts';
import type { ExpectedNumbers, StoredGroup } from './shown-numbers.ts';

/*
 * Pages and messages may show no number that the test does not expect: each one has to be a part of a text of a list here,
 * which is made from stored events, from names, and from sentences whose numbers are compared by themselves.
 */

/** Fails for each number on a page, those in folded parts included, that is in none of the texts. */
export async function expectNoOtherNumbers(page: Page, known: readonly string[], name: string) {
  const main = page.getByRole('main');
  await main.evaluate((element) => {
    for (const folded of element.querySelectorAll('details')) folded.open = true;
  });
  const text = await main.innerText();
  expect.soft(findOtherNumbers(text, known), `${name}: other numbers`).toEqual([]);
}

/** Returns the lines with a number that is in none of the known texts; one that is a number alone explains only a whole line. */
export function findOtherNumbers(text: string, known: readonly string[]): string[] {
  const texts = [...new Set([...known, ...LABELS])].filter((each) => /\d/.test(each));
  const alone = new Set(texts.filter((each) => /^[\d,]+(?:\.\d)?K?$/.test(each)));
  const parts = texts
    .filter((each) => !alone.has(each))
    .toSorted((one, other) => other.length - one.length)
    .map((each) => {
      const [before, after] = [
        /^\d/.test(each) ? '(?<![\\d.,:])' : '',
        /\d$/.test(each) ? '(?!\\d|[.,:]\\d)' : '',
      ];
      return new RegExp(`${before}${escapePattern(each)}${after}`, 'g');
    });
  return text
    .split(/[\n\t]/)
    .map((line) => line.trim())
    .filter(
      (line) => !alone.has(line) && /\d/.test(parts.reduce((rest, part) => rest.replace(part, ''), line)),
    );
}

const LABELS = ['Last 24 hours', 'Last 30 days', 'Last 7 days'];
const escapePattern = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
const countText = (count: number) => count.toLocaleString('en');
const releasesOf = (events: readonly StoredEvent[]) => [
  ...new Set(events.flatMap(({ release }) => release ?? [])),
];

/** `50 s ago`, of all moments. */
export function agesOf(momentsMs: readonly number[], nowMs: number): string[] {
  return [...new Set(momentsMs)].map((ms) => {
    const seconds = Math.floor((nowMs - ms) / 1_000);
    return seconds < 60 ? `${seconds} s ago` : `${Math.floor(seconds / 60)} min ago`;
  });
}

/** Sentence of the service as pages show it. */
const shownSentence = (sentence: string) => sentence.replaceAll('`', '').replaceAll(/(\d\d:\d\d) UTC/g, '$1');

/** Times and counts of the bars of an hour. */
function numbersOfBars(minutes: ReadonlyMap<number, number>, nowMs: number): string[] {
  return Array.from({ length: 61 }, (_, index) => minuteOf(nowMs) - index * MINUTE_MS).flatMap((minuteMs) => [
    `${words.timeOfDay(minuteMs)} – ${words.clockOf(minuteMs + MINUTE_MS)}`,
    countText(minutes.get(minuteMs) ?? 0),
  ]);
}

/** Texts with numbers on the page of an incident. */
export function numbersOfPage(expected: ExpectedNumbers): string[] {
  const { incident, lead, truth, nowMs, minutes, stored, keys, joined } = expected;
  const { events } = truth;
  const { observed = 0, usual = 0 } = incident.rate ?? {};
  const isOver = incident.until !== null;
  const untilMs = incident.until === null ? nowMs : Date.parse(incident.until);
  const rate = isOver ? words.atFirst(lead, observed, usual ?? 0) : words.now(lead, truth, usual ?? 0);
  const entries = incident.timeline;
  const moments = [incident.createdAt, ...entries.map(({ at }) => at), ...joined.map(({ at }) => at)];
  const releasesMs = stored.filter(({ release }) => release !== null).map(({ atMs }) => atMs);
  return [
    ...rate,
    ...rate.map(words.spelt),
    words.time(truth.sinceMs, untilMs, isOver),
    // The sentence has the beginning and the duration of one that is over as well.
    words.time(truth.sinceMs, untilMs, false),
    words.users(usersOf(events)),
    words.payments(events) ?? '',
    countText(events.length),
    `View all ${words.events(events.length)}`,
    `In the ${words.events(events.length)}`,
    ...words.groupsOf(events).map((group) => words.groupFacts(group).join(' · ')),
    ...[...new Set(stored.map(({ user }) => user ?? ''))].flatMap((user) => [
      user,
      countText(events.filter((event) => event.user === user).length),
    ]),
    ...agesOf([...stored.map(({ atMs }) => atMs), ...moments.map((at) => Date.parse(at))], nowMs),
    `opened ${incident.createdAt.slice(11, 19)}`,
    `resolved ${incident.resolvedAt?.slice(11, 19)}`,
    // Both, where they are close.
    '2 changes',
    `${releasesOf(stored).length} releases`,
    ...numbersOfBars(minutes, nowMs),
    ...expected.usual.map(words.amount),
    // The first event of a release counts as its deploy.
    ...releasesMs.map((atMs) => `Last deploy ${Math.round((truth.sinceMs - atMs) / 60_000)} min before`),
    ...entries.flatMap(({ note }) => (note === null ? [] : shownSentence(note).split('\n'))),
    ...joined.flatMap(({ texts }) => texts),
    `and ${Math.max(0, joined.filter(({ isSuperset }) => !isSuperset).length - 2)} more`,
    'Events arriving over 3 minutes after the end are listed, not counted.',
    ...releasesOf(stored),
    ...keys,
  ];
}

/** Texts with numbers on the list of incidents of the organization. */
export function numbersOfList(all: readonly ExpectedNumbers[], incidents: readonly Incident[]): string[] {
  const seconds = incidents
    .flatMap(({ createdAt, resolvedAt }) =>
      resolvedAt ? (Date.parse(resolvedAt) - Date.parse(createdAt)) / 1_000 : [],
    )
    .toSorted((one, other) => one - other);
  const middle =
    (seconds[Math.floor((seconds.length - 1) / 2)] ?? 0) + (seconds[Math.floor(seconds.length / 2)] ?? 0);
  const ofStatus = (status: string) => countText(incidents.filter((each) => each.status === status).length);
  return [
    ...['open', 'investigating', 'resolved'].map(ofStatus),
    countText(incidents.length),
    `Last 7 days: ${incidents.length} opened`,
    `median ${Math.round(middle / 2 / 60)} min to resolve`,
    ...all.flatMap(numbersOfRow),
  ];
}

function numbersOfRow({ incident, lead, truth, nowMs, keys, stored }: ExpectedNumbers): string[] {
  const { observed = 0, usual = 0 } = incident.rate ?? {};
  return [
    words.atFirst(lead, observed, usual ?? 0).join(', '),
    words.events(truth.events.length),
    ...agesOf(
      [incident.createdAt, incident.updatedAt].map((at) => Date.parse(at)),
      nowMs,
    ),
    ...releasesOf(stored),
    ...keys,
  ];
}

/** Texts with numbers on the overview. */
export function numbersOfOverview(
  all: readonly ExpectedNumbers[],
  stored: readonly Record<'severity' | 'type' | 'source' | 'message', string>[],
  open: number,
): string[] {
  const counts = (['severity', 'type', 'source', 'message'] as const).flatMap((by) =>
    [...new Set(stored.map((event) => event[by]))].map(
      (value) => stored.filter((event) => event[by] === value).length,
    ),
  );
  const total = countText(stored.length);
  // A release is new in each of its projects.
  const releases = all.reduce((sum, { stored: own }) => sum + releasesOf(own).length, 0);
  return [
    '0',
    ...counts.flatMap((count) => [countText(count), words.compact(count)]),
    `${total} events`,
    `All ${total} events received are stored.`,
    `+${open - SHOWN_ON_OVERVIEW} more`,
    // A bar of the last 24 hours.
    '15 min per bar',
    `${releases} releases`,
    ...all.flatMap(numbersOfRow),
  ];
}
const SHOWN_ON_OVERVIEW = 6;

/** Texts with numbers on the list of groups. */
export function numbersOfGroups(groups: readonly StoredGroup[]): string[] {
  return groups.flatMap(({ key, events }) => [
    key,
    countText(events.length),
    countText(usersOf(events)),
    `${countText(events.length)} in the last 24 hours`,
    ...[events[0], events.at(-1)].map((event) => new Date(event?.atMs ?? 0).toISOString().slice(11, 23)),
  ]);
}

/** Texts with numbers on the page of a group. */
export function numbersOfGroup(
  { key, title, events }: StoredGroup,
  { incident, truth, nowMs, stored }: ExpectedNumbers,
): string[] {
  const [newest] = events;
  const exact = new Date(newest?.atMs ?? 0).toISOString();
  const inIncident = truth.events.filter(({ message }) => message === title).length;
  return [
    key,
    words.events(events.length),
    words.users(usersOf(events)),
    `In the ${words.events(events.length)}`,
    words.events(inIncident),
    ...releasesOf(events).flatMap((release) => [
      release,
      countText(events.filter((event) => event.release === release).length),
    ]),
    `${releasesOf(stored).length} releases`,
    `${words.dayOf(newest?.atMs ?? 0)} ${exact.slice(0, 4)}, ${exact.slice(11, 23)}`,
    `user_id: ${newest?.user}`,
    ...events.flatMap(({ user }) => user ?? []),
    ...agesOf([...events.map(({ atMs }) => atMs), Date.parse(incident.createdAt)], nowMs),
    ...numbersOfBars(countByMinute(events), nowMs),
  ];
}
