import type { RiskSeries } from '../incidents/schema.ts';
import type { Finding } from './detector/finding.ts';
import { UP } from './detector/series-memory.ts';

const MAX_TITLE_LENGTH = 200;
/** The beginning of a message that a sentence quotes. */
const MAX_EXAMPLE_LENGTH = 120;
const MINUTES_AN_HOUR = 60;
const MINUTES_A_DAY = 1_440;
const MOST_WEEKS = 1_000;

export const NEW_KIND_TITLE = 'New error: ';

const NOUNS = { info: 'events', warn: 'warnings', error: 'errors', critical: 'critical events' } as const;

/** Why a sleepy person is woken, in one sentence. */
export function toSentence(series: RiskSeries, finding: Finding): string {
  const { rule, observed, expected, windowMinutes, usualMinutes } = finding;
  const name = nameOfSeries(series);
  const span = formatSpan(windowMinutes);
  if (rule === 'new_kind') return newKindSentence(series, finding);
  if (rule === 'at_least') return ruleSentence(series, finding);
  if (usualMinutes !== null) {
    return `No ${name} for ${span}: it usually comes every ${formatSpan(usualMinutes)}.`;
  }
  const chance = formatChance(finding.chanceAWeek);
  if (rule === 'failed_payments') {
    const [now, usual] = [formatCount(observed), formatCount(expected)];
    return `Failed payments: ${now} of 100 over ${span}, expected ${usual}${chance}.`;
  }
  const usual = formatCount(expected);
  if (rule === 'silence') return `No ${name} for ${span}, expected ${usual}${chance}.`;
  if (rule === 'drop') {
    return `Fewer ${name}: ${formatCount(observed)} in ${span}, expected ${usual}${chance}.`;
  }
  const times = expected >= 1 ? ` (${formatCount(observed / expected)}×)` : '';
  return `More ${name}: ${formatCount(observed)} in ${span}, expected ${usual}${times}${chance}.`;
}

/** What an incident is called until somebody gives it a better name. */
export function toTitle(
  series: RiskSeries,
  { rule, side, example, expected, windowMinutes }: Finding,
): string {
  if (rule === 'failed_payments') return 'Failed payments';
  if (rule === 'new_kind') return shorten(`${NEW_KIND_TITLE}${example || series.type}`, MAX_TITLE_LENGTH);
  if (rule === 'at_least') {
    const about = (example ?? nameOfSeries(series)).replaceAll('`', '');
    if (expected === 1 && series.severity === 'critical')
      return shorten(`Critical: ${about}`, MAX_TITLE_LENGTH);
    return shorten(`At least ${expected} in ${formatSpan(windowMinutes)}: ${about}`, MAX_TITLE_LENGTH);
  }
  const kind = side === UP ? 'Rise' : rule === 'silence' ? 'Silence' : 'Drop';
  return shorten(`${kind}: ${nameOfSeries(series).replaceAll('`', '')}`, MAX_TITLE_LENGTH);
}

export function nameOfSeries({ kind, type, severity, source }: RiskSeries): string {
  const from = source === null ? '' : ` from ${quote(source)}`;
  const noun = severity === null ? 'events' : NOUNS[severity];
  if (kind === 'total') return 'events of the whole project';
  if (kind === 'errors') return 'errors of the whole project';
  if (kind === 'other') return 'events of rare kinds';
  return type === null ? `${noun}${from}` : `${quote(type)} ${noun}${from}`;
}

function ruleSentence(series: RiskSeries, { observed, expected, windowMinutes, example }: Finding): string {
  const noun = nameOfSeries({ ...series, type: null, source: null });
  const one = observed === 1 ? noun.replace(/s$/, '') : noun;
  return `${formatCount(observed)} ${one} in ${formatSpan(windowMinutes)}: ${example}. A rule of the project asks for at least ${expected}.`;
}

function newKindSentence(series: RiskSeries, { example }: Finding): string {
  const quoted = example ? `: “${shorten(example, MAX_EXAMPLE_LENGTH)}”` : '';
  return `A kind of ${nameOfSeries(series)} that was never seen before${quoted}.`;
}

function formatChance(chanceAWeek: number | null): string {
  if (chanceAWeek === null || chanceAWeek > 1) return '';
  const weeks = 1 / chanceAWeek;
  if (weeks > MOST_WEEKS) return `; by chance less than once in ${MOST_WEEKS.toLocaleString('en')} weeks`;
  if (weeks < 2) return '; by chance about once a week';
  return `; by chance about once in ${Number(weeks.toPrecision(2))} weeks`;
}

function formatCount(count: number): string {
  if (count >= 10) return Math.round(count).toLocaleString('en');
  return count < 0.05 ? 'nearly none' : String(Math.round(count * 10) / 10);
}

function formatSpan(minutes: number): string {
  if (minutes < 1) return `${Math.round(minutes * 60)} s`;
  if (minutes < 2 * MINUTES_AN_HOUR) return `${Math.round(minutes)} min`;
  const hours = Math.round(minutes / MINUTES_AN_HOUR);
  return hours < 48 ? `${hours} h` : `${Math.round(minutes / MINUTES_A_DAY)} days`;
}

function shorten(text: string, length: number): string {
  const characters = Array.from(toPlain(text));
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}

/** As the dashboard shows code; what senders chose cannot end it. */
export function quote(name: string): string {
  return `\`${toPlain(name).replaceAll('`', '’')}\``;
}

/** On one line, without what is not seen: control characters, and marks that turn the direction of text. */
function toPlain(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
}
