import type { AttachedSeries, ReleaseShare, RiskSeries } from './evidence-schema.ts';

/*
 * The only place that words the series and numbers of incidents. The service's sentences and the dashboard's pages
 * use it, with the same rounding; the dashboard imports this file as code, so it imports no code itself.
 */

const MINUTE_MS = 60_000;
const MINUTES_AN_HOUR = 60;
const MINUTES_A_DAY = 1_440;
/** One decimal would round a smaller number to 0. */
const MIN_AMOUNT = 0.05;

/** From here on a whole number is off by a quarter at most. */
const MIN_WHOLE_USUAL = 2;

const NOUNS = { info: 'events', warn: 'warnings', error: 'errors', critical: 'critical events' } as const;

interface Name {
  noun: string;
  /** Place with its preposition; empty: not limited to a place. */
  place: string;
}

/** Series that are not named by type, severity and source. */
const KINDS: Partial<Record<RiskSeries['kind'], Name>> = {
  total: { noun: 'events', place: 'in this project' },
  errors: { noun: 'errors', place: 'in this project' },
  other: { noun: 'other events', place: '' },
  failed_payments: { noun: 'failed payments', place: '' },
};

type EventFields = Pick<RiskSeries, 'type' | 'severity' | 'source' | 'field'>;

/** Names the events that a series counts: "`checkout` errors in `shop`". */
export function nameOfSeries(series: RiskSeries): string {
  return join(partsOf(series));
}

/** The same as the plain title of a chart: "checkout errors in shop". */
export function titleOfSeries(series: RiskSeries): string {
  return capitalize(nameOfSeries(series)).replaceAll('`', '');
}

/** The plain title of a change: "checkout errors up in shop". */
export function titleOfChange(series: RiskSeries, change: 'up' | 'down' | 'more frequent'): string {
  const { noun, place } = partsOf(series);
  // "up from shop" would be a comparison.
  return capitalize(join({ noun: `${noun} ${change}`, place: place.replace(/^from /, 'in ') })).replaceAll(
    '`',
    '',
  );
}

/** "`checkout` errors in `shop`", or for one event "`checkout` error in `shop`". */
export function nameOfEvents(fields: EventFields, isOne = false): string {
  const { noun, place } = partsOfEvents(fields);
  return join({ noun: isOne ? noun.replace(/s$/, '') : noun, place });
}

/** Names the events of a rule's share: "`payment` events that are errors where `status` is `failed`". */
export function nameOfShare({ type, severity, source, field }: EventFields): string {
  const all = nameOfEvents({ type, severity: null, source });
  const ofSeverity = severity === null ? '' : ` that are ${NOUNS[severity]}`;
  return `${all}${ofSeverity}${describeField(field)}`;
}

/** The condition of a rule on the payload: " where `status` is `failed`"; empty if there is none. */
function describeField(field: EventFields['field']): string {
  if (!field) return '';
  const { path, operator, value } = field;
  const name = quote(path.join('.'));
  return operator === 'exists'
    ? ` where ${name} is set`
    : ` where ${name} ${OPERATORS[operator]} ${quote(String(value))}`;
}

const OPERATORS = { equals: 'is', not: 'is not', greater: 'is over', less: 'is under' } as const;

function partsOf(series: RiskSeries): Name {
  const { noun, place } = KINDS[series.kind] ?? partsOfEvents(series);
  return { noun: series.kind === 'new_kind' ? `new ${noun}` : noun, place };
}

function partsOfEvents({ type, severity, source, field }: EventFields): Name {
  const condition = describeField(field);
  // Failed payments count as errors: no `payment` events would mean that none came at all.
  if (type === 'payment' && severity === 'info')
    return {
      noun: 'successful payments',
      place: `${source === null ? '' : `from ${quote(source)}`}${condition}`.trim(),
    };
  const noun = severity === null ? 'events' : NOUNS[severity];
  const preposition = severity === 'error' || severity === 'warn' ? 'in' : 'from';
  return {
    noun: type === null ? noun : `${quote(type)} ${noun}`,
    place: `${source === null ? '' : `${preposition} ${quote(source)}`}${condition}`.trim(),
  };
}

function join({ noun, place }: Name): string {
  return place === '' ? noun : `${noun} ${place}`;
}

/** Capitalizes a text, except one that begins with a quoted name. */
export function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Numbers of a series that joined: "35 in 3 min, usually about 0.1". */
export function describeJoined({
  rule,
  observed,
  expected,
  windowSeconds,
  exposure,
  message,
  from,
  at,
}: Pick<AttachedSeries, 'rule' | 'observed' | 'expected' | 'windowSeconds'> &
  Partial<Pick<AttachedSeries, 'exposure' | 'message' | 'from' | 'at'>>): string {
  if (rule === 'new_kind') return message ? `“${message}”` : 'never seen before';
  const span = formatSpan(windowSeconds / 60);
  if (rule === 'silence' && from && at) {
    const silent = formatSpan((Date.parse(at) - Date.parse(from)) / MINUTE_MS);
    return `none for ${silent}, ${describeUsual(expected)} in ${span}`;
  }
  const count = observed === 0 ? 'none' : formatAmount(observed);
  if (rule === 'at_least')
    return `${count} in ${span}, matching your rule (at least ${formatAmount(expected)})`;
  if (rule === 'above_share')
    return `${formatAmount(observed)}% in ${span}, matching your rule (more than ${expected}%)`;
  if (rule === 'failed_payments')
    return `${formatPercent(observed)} in ${span}, ${describeUsual(expected, '%')}`;
  if (rule === 'error_share' && exposure) {
    const { failures, usualShare } = exposure;
    const all = failures + exposure.events;
    const share = `${formatAmount(failures)} of ${formatAmount(all)} events (${formatPercent((100 * failures) / all)})`;
    return `${share} in ${span}, ${describeUsual(100 * usualOf(usualShare), '%')}`;
  }
  const proportion = exposure?.isInProportion ? ', in proportion to traffic' : '';
  return `${count} in ${span}, ${describeUsual(expected)}${proportion}`;
}

/** Timeline entry: "Failed payments too: 35% in 3 min, usually about 0.1%." */
export function joinedSentence(attached: AttachedSeries): string {
  return `${capitalize(nameOfAttached(attached))} too: ${describeJoined(attached)}.`;
}

/**
 * Sentence about a series of another source that makes an incident worse: "Something else has begun: `mail` errors in
 * …".
 */
export function escalationSentence(attached: AttachedSeries): string {
  return `Something else has begun: ${nameOfAttached(attached)}: ${describeJoined(attached)}.`;
}

/** Sentence about a known series that makes its incident worse: "Severity is now critical: failed payments, …". */
export function riseSentence(attached: AttachedSeries): string {
  return `Severity is now ${attached.alarmSeverity}: ${nameOfAttached(attached)}, ${describeJoined(attached)}.`;
}

/** Name of an attached series; a new error is quoted: "new `checkout` error in `shop`". */
export function nameOfAttached(attached: RiskSeries & Partial<Pick<AttachedSeries, 'message'>>): string {
  return attached.kind === 'new_kind' && attached.message
    ? `new ${nameOfEvents(attached, true)}`
    : nameOfSeries(attached);
}

/** The expected amount beside an observed one: "usually about 4", "normally close to zero". */
export function describeUsual(expected: number, unit: '' | '%' = ''): string {
  return isCloseToZero(expected) ? 'normally close to zero' : `usually about ${formatUsual(expected)}${unit}`;
}

/** A learned value is not known to a tenth: `4`, `1.4`. */
function formatUsual(amount: number): string {
  return formatAmount(amount < MIN_WHOLE_USUAL ? amount : Math.round(amount));
}

/** True if one decimal would round it to zero. */
export function isCloseToZero(amount: number): boolean {
  return amount < MIN_AMOUNT;
}

/** The usual failures: "usually 3 of 100". */
export function describeUsualShare(share: number): string {
  return share * 100 < MIN_AMOUNT ? 'normally close to none' : `usually ${formatUsual(100 * share)} of 100`;
}

/** The share of all events, from the errors for one other event. */
export function usualOf(odds: number): number {
  return odds / (1 + odds);
}

/**
 * A time in UTC, which the dashboard's `Sentence` shows in the reader's own zone: "03:00 UTC", with its day of the
 * week if that differs or the time is more than half a day ago, "Mon 03:00 UTC", or its date if it is not within six
 * days, "3 Nov 03:00 UTC".
 */
export function formatClock(atMs: number, agoMinutes: number): string {
  const [weekday = '', day = '', month = '', , time = ''] = new Date(atMs).toUTCString().split(' ');
  const clock = `${time.slice(0, 5)} UTC`;
  const isSameDay = new Date(atMs + agoMinutes * MINUTE_MS).getUTCDate() === Number(day);
  if (isSameDay && 2 * agoMinutes < MINUTES_A_DAY) return clock;
  return agoMinutes < 6 * MINUTES_A_DAY
    ? `${weekday.replace(',', '')} ${clock}`
    : `${Number(day)} ${month} ${clock}`;
}

/** The usual time, for the dashboard as above: "on Mondays at 18:00 UTC". */
export function formatHourOfWeek(atMs: number): string {
  const at = new Date(atMs);
  const weekday = at.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  return `on ${weekday}s at ${String(at.getUTCHours()).padStart(2, '0')}:00 UTC`;
}

/** "All 230 are from `4.18.1`, deployed 3 min before.", "210 of 230 are from `4.18.1`, which has 20% of the events." */
export function releaseSentence({
  release,
  says,
  failed,
  allFailed,
  trafficShare,
  minutesBefore,
  isDeployReported,
  isPartial,
}: ReleaseShare): string {
  const name = quote(release);
  const before =
    minutesBefore === null
      ? ''
      : `${isDeployReported ? 'deployed' : 'first seen'} ${minutesBefore < 1 ? 'less than 1 min' : formatSpan(minutesBefore)} before`;
  if (says === 'timing') return `${name} was ${before}.`;
  const end = before === '' ? '.' : `, ${before}.`;
  const all = allFailed.toLocaleString('en');
  if (says === 'all')
    return isPartial ? `The newest ${all} are all from ${name}${end}` : `All ${all} are from ${name}${end}`;
  const share = trafficShare === null ? '' : `, which has ${formatPercent(100 * trafficShare)} of the events`;
  return `${failed.toLocaleString('en')} of ${isPartial ? 'the newest ' : ''}${all} are from ${name}${share}${end}`;
}

/** A share of 100: `35%`, `1.4%`, `0%`. */
export function formatPercent(share: number): string {
  return `${share < MIN_AMOUNT ? 0 : formatUsual(share)}%`;
}

/** A count, or an estimate of one: `1,234`, `6.1`, `close to zero`. */
export function formatAmount(count: number): string {
  // One decimal would round 9.96 to 10.
  if (count >= 9.95) return Math.round(count).toLocaleString('en');
  return count < MIN_AMOUNT ? 'close to zero' : String(Math.round(count * 10) / 10);
}

export function formatSpan(minutes: number): string {
  if (minutes < 1) return `${Math.round(minutes * 60)} s`;
  if (minutes < 2 * MINUTES_AN_HOUR) return `${Math.round(minutes)} min`;
  const hours = Math.round(minutes / MINUTES_AN_HOUR);
  return hours < 48 ? `${hours} h` : `${Math.round(minutes / MINUTES_A_DAY)} days`;
}

/** An interval of something regular: "every minute", "every 5 min". */
export function formatEvery(minutes: number): string {
  const span = formatSpan(minutes);
  return `every ${UNITS.get(span) ?? span}`;
}

const UNITS = new Map([
  ['1 min', 'minute'],
  ['60 min', 'hour'],
  ['24 h', 'day'],
]);

/** Whole days that have passed: "15 days". @param one name of a single day */
export function formatDays(minutes: number, one = 'day'): string {
  const days = Math.floor(minutes / MINUTES_A_DAY);
  return days === 1 ? one : `${days} days`;
}

/** A rate in the unit in which it is one or more: "37 a minute", "12 an hour". */
export function formatFrequency(perMinute: number): string {
  if (perMinute >= 1) return `${formatAmount(perMinute)} a minute`;
  const perHour = perMinute * MINUTES_AN_HOUR;
  return perHour >= 1
    ? `${formatAmount(perHour)} an hour`
    : `${formatAmount(perMinute * MINUTES_A_DAY)} a day`;
}

/** Marks a name as code for the dashboard; a name cannot end the mark. */
export function quote(name: string): string {
  return `\`${toPlain(name).replaceAll('`', '’')}\``;
}

/** One line without invisible characters: control characters, and marks that change the direction of text. */
export function toPlain(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
}

/** Names and quoted messages, which keep their words. */
const QUOTED = /(`[^`]*`|“[^”]*”)/;
const PAST: readonly [RegExp, string][] = [
  [/\bare (?=up\b|down\b|[\d.,]+× )/g, 'were '],
  [/\bPayments fail\b/g, 'Payments failed'],
  [/\bare missing:/g, 'were missing:'],
  [/\bTraffic has risen\b/g, 'Traffic had risen'],
  [/\bThat is /g, 'That was '],
  [/\bare from\b/g, 'were from'],
  [/\bare all from\b/g, 'were all from'],
];

/** A sentence of an incident in the past tense, for when the incident is over. */
export function toPast(sentence: string): string {
  return sentence
    .split(QUOTED)
    .map((part) =>
      QUOTED.test(part) ? part : PAST.reduce((text, [present, past]) => text.replaceAll(present, past), part),
    )
    .join('');
}
