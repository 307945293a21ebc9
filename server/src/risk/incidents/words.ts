import { type Anomaly, UP } from '@tocsin/detector';
import type { RiskRule, RiskSeries } from '../../incidents/schema.ts';
import {
  capitalize,
  describeUsual,
  describeUsualShare,
  formatAmount,
  formatClock,
  formatEvery,
  formatPercent,
  formatRate,
  formatSpan,
  nameOfEvents,
  nameOfSeries,
  quote,
  titleOfChange,
  toPlain,
} from '../../incidents/wording.ts';

const MAX_TITLE_LENGTH = 200;
/** The beginning of a message that a sentence quotes. */
const MAX_EXAMPLE_LENGTH = 120;

const NEW_KIND_TITLE = 'New error: ';

/**
 * Why an incident opened: what was observed, what is usual, and how often chance alone brings as much.
 * @param sinceMs beginning of the window
 */
export function toSentence(series: RiskSeries, anomaly: Anomaly, sinceMs: number): string {
  if (anomaly.rule === 'new_kind') return newKindSentence(series, anomaly);
  if (anomaly.rule === 'at_least') return ruleSentence(series, anomaly);
  if (anomaly.rule === 'failed_payments') return failuresSentence(anomaly, sinceMs);
  const { falseAlarmsPerWeek } = anomaly;
  const rate =
    falseAlarmsPerWeek === null ? '' : ` ${CHANCES[anomaly.rule]} happens ${formatRate(falseAlarmsPerWeek)}.`;
  return `${numbersOf(series, anomaly, anomaly.rule)}${rate}`;
}

/** Rules that compare with what is usual. */
type RelativeRule = Exclude<RiskRule, 'new_kind' | 'at_least' | 'failed_payments'>;

const CHANCES: Record<RelativeRule, string> = {
  rise: 'A random blip this big',
  drop: 'A random dip this deep',
  silence: 'A random gap this long',
};

function numbersOf(
  series: RiskSeries,
  { observed, expected, windowMinutes, usualMinutes }: Anomaly,
  rule: RelativeRule,
): string {
  const name = nameOfSeries(series);
  const span = formatSpan(windowMinutes);
  const usual = describeUsual(expected);
  if (rule === 'silence')
    return usualMinutes === null
      ? `No ${name} for ${span}, ${usual}.`
      : `No ${name} for ${span} (usually ${formatEvery(usualMinutes)}).`;
  const change =
    rule === 'drop' ? 'down' : expected < 1 ? 'up' : `${formatAmount(observed / expected)}× normal`;
  return `${capitalize(name)} are ${change}: ${formatAmount(observed)} in ${span}, ${usual}.`;
}

/** @param sinceMs beginning of the window */
function failuresSentence({ observed, expected, windowMinutes, exposure }: Anomaly, sinceMs: number): string {
  const since = `since ${formatClock(sinceMs, windowMinutes)}`;
  // Rounds that an earlier program wrote have the share alone.
  if (!exposure)
    return `${formatPercent(observed)} of payments failed ${since}, ${describeUsual(expected, '%')}.`;
  const { events, failures, usualShare } = exposure;
  const failed =
    failures === events
      ? `All of the last ${formatAmount(events)} payments`
      : `${formatAmount(failures)} of the last ${formatAmount(events)} payments`;
  return `${failed} failed ${since}; ${describeUsualShare(usualShare)}.`;
}

/** An incident's title until a person chooses another. */
export function toTitle(
  series: RiskSeries,
  { rule, side, example, matched, expected, windowMinutes }: Anomaly,
): string {
  if (rule === 'failed_payments') return 'Failed payments';
  if (rule === 'new_kind') return shorten(`${NEW_KIND_TITLE}${example || series.type}`, MAX_TITLE_LENGTH);
  if (rule === 'at_least') {
    const about = (matched ? nameOfMatched(matched) : nameOfSeries(series)).replaceAll('`', '');
    if (expected === 1 && series.severity === 'critical')
      return shorten(`Critical event: ${about}`, MAX_TITLE_LENGTH);
    return shorten(`At least ${expected} in ${formatSpan(windowMinutes)}: ${about}`, MAX_TITLE_LENGTH);
  }
  if (rule === 'silence') return shorten(`No ${nameOfSeries(series).replaceAll('`', '')}`, MAX_TITLE_LENGTH);
  return shorten(titleOfChange(series, side === UP ? 'up' : 'down'), MAX_TITLE_LENGTH);
}

function ruleSentence(series: RiskSeries, { observed, expected, windowMinutes, matched }: Anomaly): string {
  const span = formatSpan(windowMinutes);
  const noun = nameOfEvents({ ...series, type: null, source: null }, observed === 1);
  const count = observed === 1 ? capitalize(noun) : `${formatAmount(observed)} ${noun} in ${span}`;
  const about = matched ? nameOfMatched(matched) : nameOfSeries(series);
  const rule =
    expected === 1
      ? `any ${nameOfEvents(series, true)}`
      : `at least ${formatAmount(expected)} ${nameOfEvents(series)} in ${span}`;
  return `${count}: ${about}. Matched your rule “${rule}”.`;
}

/** The events that fulfilled a rule. */
function nameOfMatched({ type, source }: NonNullable<Anomaly['matched']>): string {
  return source === null ? quote(type) : `${quote(type)} from ${quote(source)}`;
}

function newKindSentence(series: RiskSeries, { example }: Anomaly): string {
  const quoted = example ? `: “${shorten(example, MAX_EXAMPLE_LENGTH)}”` : '';
  return `New ${nameOfEvents(series, true)}${quoted}.`;
}

function shorten(text: string, length: number): string {
  const characters = Array.from(toPlain(text));
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}
