import type { Anomaly } from '@tocsin/detector';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import type { StoredLead } from '../../incidents/stored-evidence.ts';
import {
  capitalize,
  describeUsual,
  describeUsualShare,
  formatAmount,
  formatClock,
  formatDays,
  formatEvery,
  formatFrequency,
  formatHourOfWeek,
  formatPercent,
  formatSpan,
  isCloseToZero,
  nameOfEvents,
  nameOfSeries,
  nameOfShare,
  quote,
  toPlain,
} from '../../incidents/wording.ts';
import { MINUTE_MS } from '../../platform/durations.ts';
import { describeShare, timesAsFrequent } from './share-words.ts';

/** Maximum length of a message that a sentence quotes. */
const MAX_EXAMPLE_LENGTH = 120;

/** Times of an alarm. */
export interface AlarmTimes {
  /** End of its window. */
  toMs: number;
  /** Counted lead; null: it is not counted, and no sentence says since when. */
  lead: Pick<StoredLead, 'since' | 'mayBeEarlier'> | null;
}

/**
 * Explains why an incident opened: what is wrong, since when, where, how much against usual, and how rare it is.
 * @param part most of a sum, in words
 */
export function toSentence(
  series: RiskSeries,
  anomaly: Anomaly,
  times: AlarmTimes,
  part: string | null = null,
): string {
  const { rarity, numbers } = partsOfSentence({ series, anomaly, times, part });
  return rarity === '' ? numbers : `${numbers} ${rarity}`;
}

/** Number of sources of several alarms, in words. */
export interface Breadth {
  text: string;
  comesFirst: boolean;
}

/** The same for the worst of several alarms: its breadth says more than its rarity. */
export function toBroadSentence(
  { text, comesFirst }: Breadth,
  described: Omit<SentenceFacts, 'part'>,
): string {
  const { numbers } = partsOfSentence({ ...described, part: null });
  return comesFirst ? `${text} ${numbers}` : `${numbers} ${text}`;
}

interface SentenceFacts {
  series: RiskSeries;
  anomaly: Anomaly;
  times: AlarmTimes;
  part: string | null;
}

function partsOfSentence(described: SentenceFacts): { numbers: string; rarity: string } {
  const { anomaly } = described;
  const isRare = RARE.has(anomaly.rule) && !anomaly.exposure?.isInProportion;
  return { numbers: NUMBERS[anomaly.rule](described), rarity: isRare ? rarityOf(anomaly) : '' };
}

/** Numbers of each rule, in words. */
const NUMBERS: Record<Anomaly['rule'], (described: SentenceFacts) => string> = {
  new_kind: ({ series, anomaly }) => newKindSentence(series, anomaly),
  at_least: ({ series, anomaly }) => ruleSentence(series, anomaly),
  above_share: ({ series, anomaly }) => shareRuleSentence(series, anomaly),
  failed_payments: failuresSentence,
  error_share: errorShareSentence,
  silence: (described) => `${silenceSentence(described)}${describeNewName(described.anomaly)}`,
  rise: (described) => exposedSentence(described, 'rise'),
  drop: (described) => exposedSentence(described, 'drop'),
};

/** Rules whose sentence states the rarity. */
const RARE: ReadonlySet<Anomaly['rule']> = new Set(['silence', 'rise', 'drop']);

function exposedSentence(described: SentenceFacts, rule: 'rise' | 'drop'): string {
  const { exposure, observed, sourceMinutes } = described.anomaly;
  const numbers = changeSentence(described, rule);
  if (!exposure) return numbers;
  // In proportion: "Traffic has risen as much: 4 of 1,000 events, usually 5 of 1,000."
  const lead = exposure.isInProportion ? 'Traffic has risen as much:' : 'That is';
  const areCounted = exposure.failures === observed;
  const usually = sourceMinutes === undefined ? 'usually' : 'elsewhere';
  return `${numbers} ${lead} ${describeShare(exposure, { areCounted, usually })}.`;
}

/** With fewer than three days without anything as unusual, the day before that remains a question. */
const MIN_UNSEEN_MINUTES = 3 * 1_440;

/** States the rarity, by the observed history or by chance; empty if neither says much. */
function rarityOf({ falseAlarmsPerWeek, unseenMinutes, filledMinutes, windowMinutes }: Anomaly): string {
  if (filledMinutes !== undefined) {
    return windowMinutes <= 1
      ? `The first minute without any in ${formatDays(filledMinutes, 'a day')}.`
      : `Before that, no minute was empty for ${formatDays(filledMinutes, 'a day')}.`;
  }
  if (unseenMinutes !== undefined && unseenMinutes >= MIN_UNSEEN_MINUTES)
    return `Nothing this unusual in the last ${formatDays(unseenMinutes)}.`;
  const isRare = falseAlarmsPerWeek !== null && falseAlarmsPerWeek <= MAX_FALSE_ALARMS_PER_WEEK;
  return isRare ? 'By chance this happens less than once a year.' : '';
}

/** Once a year: a rate of every few weeks reads as noise, and further years are those of the model alone. */
const MAX_FALSE_ALARMS_PER_WEEK = 7 / 365.25;

function changeSentence({ series, anomaly, times, part }: SentenceFacts, rule: 'rise' | 'drop'): string {
  const { observed, expected, windowMinutes, sourceMinutes } = anomaly;
  const change =
    rule === 'drop'
      ? 'down'
      : expected < MIN_RATIO_EXPECTED || sourceMinutes !== undefined
        ? 'up'
        : `${formatAmount(observed / expected)}× normal`;
  const count = `${formatAmount(observed)} in ${formatSpan(windowMinutes)}`;
  const usual =
    describeNewSource(anomaly, times) ??
    `${describeUsual(expected)}${describeSeason(anomaly, times)}${describeEnd(anomaly)}`;
  return `${capitalize(nameOfSeries(series))} are ${change}${describeWhere(times, part)}: ${count}, ${usual}.`;
}

/** Minimum events that were expected since the last one: fewer are missing by chance. */
const MIN_MISSING = 5;

/** The end of a drop after which nothing has come: "; none for 8 min". */
function describeEnd({ rule, expected, windowMinutes, lastEventMinutesAgo = 0 }: Anomaly): string {
  const minutes = Math.floor(lastEventMinutesAgo);
  const isEmpty = rule === 'drop' && minutes >= 1 && (minutes * expected) / windowMinutes >= MIN_MISSING;
  return isEmpty ? `; none for ${formatSpan(minutes)}` : '';
}

/** " since 11:00 UTC, 27 of 29 in `api`". */
function describeWhere(times: AlarmTimes, part: string | null): string {
  return `${describeSince(times)}${part === null ? '' : `, ${part}`}`;
}

/** States in place of the usual count since when a new source has traffic; null for any other. */
function describeNewSource({ sourceMinutes }: Anomaly, { toMs }: AlarmTimes): string | null {
  if (sourceMinutes === undefined) return null;
  return `from a source with traffic only since ${clockOf(toMs - sourceMinutes * MINUTE_MS, toMs)}`;
}

/** One decimal of a smaller number is off by a quarter or more: a ratio would claim more than the numbers say. */
const MIN_RATIO_EXPECTED = 0.2;

function describeSince({ lead, toMs }: AlarmTimes): string {
  if (!lead) return '';
  return ` since ${clockOf(Date.parse(lead.since), toMs)}${lead.mayBeEarlier ? ' or earlier' : ''}`;
}

function clockOf(atMs: number, nowMs: number): string {
  return formatClock(atMs, (nowMs - atMs) / MINUTE_MS);
}

/** Longer windows belong to no time of the day. */
const MAX_SEASON_MINUTES = 120;

/** The time at which the expected count is usual; empty if it is usual at any time. */
function describeSeason({ season, expected, windowMinutes }: Anomaly, { toMs }: AlarmTimes): string {
  if (season === undefined || isCloseToZero(expected) || windowMinutes > MAX_SEASON_MINUTES) return '';
  return season === 'day' ? ' at this time of day' : ` ${formatHourOfWeek(toMs - 1)}`;
}

function silenceSentence({ series, anomaly, times }: SentenceFacts): string {
  const { expected, windowMinutes, usualMinutes, heartbeat } = anomaly;
  const { toMs, lead } = times;
  const name = nameOfSeries(series);
  const time = lead ? describeSince(times) : ` for ${formatSpan(silentMinutes(anomaly) ?? windowMinutes)}`;
  if (usualMinutes === null) {
    const perMinute = expected / windowMinutes;
    // A rate below one an hour is usual at any time of the day.
    const season = perMinute * 60 < 1 ? '' : describeSeason(anomaly, times);
    return `No ${name}${time}, usually about ${formatFrequency(perMinute)}${season}.`;
  }
  // Rounds of an earlier program lack the heartbeat.
  if (!heartbeat) return `No ${name}${time}, usually ${formatEvery(usualMinutes)}.`;
  // Its last intervals say nothing about another time of the day.
  if (usualMinutes < MIN_DUE_MINUTES) return `No ${name}${time}; until then ${formatEvery(usualMinutes)}.`;
  const [due, seen] = [heartbeat.dueMinutesAgo, heartbeat.seenMinutesAgo].map((minutesAgo) =>
    formatClock(toMs - minutesAgo * MINUTE_MS, heartbeat.seenMinutesAgo),
  );
  return `${capitalize(name)} are missing: due ${due}, last seen ${seen}.`;
}

/** The offer of a name that its source may have been given; empty if there is none. */
function describeNewName({ renamedTo }: Anomaly): string {
  return renamedTo === undefined ? '' : ` Renamed to ${quote(renamedTo)}?`;
}

/** How long a silence lasts, from its last event on; undefined: not known. */
export function silentMinutes({ lastEventMinutesAgo, heartbeat }: Anomaly): number | undefined {
  return lastEventMinutesAgo ?? heartbeat?.seenMinutesAgo;
}

/** For a shorter interval, the time at which the next event was due says nothing. */
const MIN_DUE_MINUTES = 60;

function failuresSentence({ anomaly, times }: SentenceFacts): string {
  const { observed, expected, windowMinutes, exposure } = anomaly;
  const span = formatSpan(windowMinutes);
  const lead = `Payments fail${describeSince(times)}:`;
  // Rounds of an earlier program have the share alone.
  if (!exposure) return `${lead} ${formatPercent(observed)} in ${span}, ${describeUsual(expected, '%')}.`;
  const { events, failures, usualShare } = exposure;
  const failed = `${formatAmount(failures)} of ${formatAmount(events)}${describePercentage(failures, events)}`;
  return `${lead} ${failed} in ${span}, ${describeUsualShare(usualShare)}.`;
}

/** Adds the percentage to numbers that do not show it by themselves; empty otherwise. */
function describePercentage(failures: number, events: number): string {
  return events <= 20 ? '' : ` (${formatPercent(Math.round((100 * failures) / events))})`;
}

function errorShareSentence({ series, anomaly, times, part }: SentenceFacts): string {
  const { observed, expected, exposure, windowMinutes } = anomaly;
  const often = `${timesAsFrequent({ observed, expected, exposure })}${describeWhere(times, part)}`;
  const share = exposure ? `: ${describeShare(exposure, { span: ` in ${formatSpan(windowMinutes)}` })}` : '';
  return `${capitalize(nameOfSeries(series))} are ${often}${share}.`;
}

function ruleSentence(series: RiskSeries, anomaly: Anomaly): string {
  const { observed, expected, windowMinutes, matched } = anomaly;
  const span = formatSpan(windowMinutes);
  const noun = nameOfEvents({ type: null, severity: series.severity, source: null }, observed === 1);
  const count = observed === 1 ? capitalize(noun) : `${formatAmount(observed)} ${noun} in ${span}`;
  const about = matched ? nameOfMatched(matched) : nameOfSeries(series);
  const rule =
    expected === 1
      ? `any ${nameOfEvents(series, true)}`
      : `at least ${formatAmount(expected)} ${nameOfEvents(series)} in ${span}`;
  return `${count}: ${about}. Matched your rule ${describeRule(anomaly, rule)}.`;
}

function shareRuleSentence(series: RiskSeries, anomaly: Anomaly): string {
  const { observed, expected, windowMinutes, exposure } = anomaly;
  const { failures = 0, events = 0 } = exposure ?? {};
  const { type, source } = series;
  const all = nameOfEvents({ type, severity: null, source });
  const count = `${formatAmount(failures)} of ${formatAmount(events)} ${all} in ${formatSpan(windowMinutes)}`;
  const rule = describeRule(anomaly, `more than ${expected}% of ${nameOfShare(series)}`);
  return `${count} (${formatAmount(observed)}%) matched your rule ${rule}.`;
}

/** The name of a rule with its conditions, or these alone. */
function describeRule({ ruleName }: Anomaly, conditions: string): string {
  // A name cannot end its mark.
  const name = ruleName === undefined ? '' : `${toPlain(ruleName).replaceAll('”', '"')}: `;
  return `“${name}${conditions}”`;
}

/** Names the events that fulfilled a rule. */
export function nameOfMatched({ type, source }: NonNullable<Anomaly['matched']>): string {
  return source === null ? quote(type) : `${quote(type)} from ${quote(source)}`;
}

function newKindSentence(series: RiskSeries, { example }: Anomaly): string {
  const quoted = example ? `: “${shortenExample(example)}”` : '';
  return `New ${nameOfEvents(series, true)}${quoted}.`;
}

/** The beginning of a message, on one line. */
export function shortenExample(message: string): string {
  return shorten(message, MAX_EXAMPLE_LENGTH);
}

export function shorten(text: string, length: number): string {
  const characters = Array.from(toPlain(text));
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}
