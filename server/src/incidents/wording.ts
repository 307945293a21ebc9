import type { JoinedSeries, RiskSeries } from './schema.ts';

/*
 * How series and numbers of incidents are worded, in one place: the sentences of the service and the pages of the
 * dashboard, which imports this file as code, say the same of the same. It imports no code.
 */

const MINUTES_AN_HOUR = 60;
const MINUTES_A_DAY = 1_440;
/** What is rarer is not told more exactly. */
const MOST_WEEKS = 1_000;
/** Below it a number would be rounded to none. */
const NEARLY_NONE = 0.05;

const NOUNS = { info: 'events', warn: 'warnings', error: 'errors', critical: 'critical events' } as const;

/** What is not told by type, severity and source. */
const KINDS: Partial<Record<RiskSeries['kind'], string>> = {
  total: 'events of the whole project',
  errors: 'errors of the whole project',
  other: 'events of rare kinds',
  failed_payments: 'failed payments',
};

/** What a series counts: "`checkout` errors from `shop`". */
export function nameOfSeries(series: RiskSeries): string {
  const name = KINDS[series.kind] ?? nameOfEvents(series);
  return series.kind === 'new_kind' ? `${name} of a new kind` : name;
}

/** The same as the plain title of a chart: "checkout errors from shop". */
export function titleOfSeries(series: RiskSeries): string {
  return capitalize(nameOfSeries(series)).replaceAll('`', '');
}

/** What begins with a quoted name keeps it as it is. */
function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

export function nameOfEvents({
  type,
  severity,
  source,
}: Pick<RiskSeries, 'type' | 'severity' | 'source'>): string {
  const from = source === null ? '' : ` from ${quote(source)}`;
  const noun = severity === null ? 'events' : NOUNS[severity];
  return type === null ? `${noun}${from}` : `${quote(type)} ${noun}${from}`;
}

/** What was observed of a series that joined: "35 in 3 min, usually 0.1". */
export function describeJoined({
  rule,
  observed,
  expected,
  windowSeconds,
}: Pick<JoinedSeries, 'rule' | 'observed' | 'expected' | 'windowSeconds'>): string {
  const span = formatSpan(windowSeconds / 60);
  const [count, usual] = [observed === 0 ? 'none' : formatAmount(observed), formatAmount(expected)];
  if (rule === 'new_kind') return 'never seen before';
  if (rule === 'at_least') return `${count} in ${span}, a rule asks for at least ${usual}`;
  if (rule === 'failed_payments') return `${count} of 100 in ${span}, usually ${usual}`;
  return `${count} in ${span}, usually ${usual}`;
}

/** An entry of the timeline: "Failed payments joined: 35 of 100 in 3 min, usually 0.1." */
export function joinedSentence(joined: JoinedSeries): string {
  return `${capitalize(nameOfSeries(joined.series))} joined: ${describeJoined(joined)}.`;
}

/** A count, or an estimate of one: `1,234`, `6.1`, `nearly none`. */
export function formatAmount(count: number): string {
  // Of 9.96 one decimal would be 10.
  if (count >= 9.95) return Math.round(count).toLocaleString('en');
  return count < NEARLY_NONE ? 'nearly none' : String(Math.round(count * 10) / 10);
}

export function formatSpan(minutes: number): string {
  if (minutes < 1) return `${Math.round(minutes * 60)} s`;
  if (minutes < 2 * MINUTES_AN_HOUR) return `${Math.round(minutes)} min`;
  const hours = Math.round(minutes / MINUTES_AN_HOUR);
  return hours < 48 ? `${hours} h` : `${Math.round(minutes / MINUTES_A_DAY)} days`;
}

/** How often the like comes by chance: "about once in 50 weeks". */
export function formatChance(chanceAWeek: number): string {
  if (chanceAWeek * MOST_WEEKS < 1) return `less than once in ${MOST_WEEKS.toLocaleString('en')} weeks`;
  const times = Math.round(chanceAWeek);
  if (times > 1) return `about ${times.toLocaleString('en')} times a week`;
  const weeks = Number((1 / chanceAWeek).toPrecision(2));
  return weeks < 1.5 ? 'about once a week' : `about once in ${Math.round(weeks).toLocaleString('en')} weeks`;
}

/** As the dashboard shows code; what senders chose cannot end it. */
export function quote(name: string): string {
  return `\`${toPlain(name).replaceAll('`', '’')}\``;
}

/** On one line, without what is not seen: control characters, and marks that turn the direction of text. */
export function toPlain(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
}
