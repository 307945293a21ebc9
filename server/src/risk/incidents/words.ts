import { type Finding, UP } from '@tocsin/detector';
import type { RiskSeries } from '../../incidents/schema.ts';
import {
  formatAmount,
  formatChance,
  formatSpan,
  nameOfEvents,
  nameOfSeries,
  quote,
  toPlain,
} from '../../incidents/wording.ts';

const MAX_TITLE_LENGTH = 200;
/** The beginning of a message that a sentence quotes. */
const MAX_EXAMPLE_LENGTH = 120;

const NEW_KIND_TITLE = 'New error: ';

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
  const { chanceAWeek } = finding;
  const chance = chanceAWeek === null ? '' : `; by chance ${formatChance(chanceAWeek)}`;
  if (rule === 'failed_payments') {
    const [now, usual] = [formatAmount(observed), formatAmount(expected)];
    return `Failed payments: ${now} of 100 over ${span}, expected ${usual}${chance}.`;
  }
  const usual = formatAmount(expected);
  if (rule === 'silence') return `No ${name} for ${span}, expected ${usual}${chance}.`;
  if (rule === 'drop') {
    return `Fewer ${name}: ${formatAmount(observed)} in ${span}, expected ${usual}${chance}.`;
  }
  const times = expected >= 1 ? ` (${formatAmount(observed / expected)}×)` : '';
  return `More ${name}: ${formatAmount(observed)} in ${span}, expected ${usual}${times}${chance}.`;
}

/** What an incident is called until somebody gives it a better name. */
export function toTitle(
  series: RiskSeries,
  { rule, side, example, matched, expected, windowMinutes }: Finding,
): string {
  if (rule === 'failed_payments') return 'Failed payments';
  if (rule === 'new_kind') return shorten(`${NEW_KIND_TITLE}${example || series.type}`, MAX_TITLE_LENGTH);
  if (rule === 'at_least') {
    const about = (matched ? nameOfMatched(matched) : nameOfSeries(series)).replaceAll('`', '');
    if (expected === 1 && series.severity === 'critical')
      return shorten(`Critical: ${about}`, MAX_TITLE_LENGTH);
    return shorten(`At least ${expected} in ${formatSpan(windowMinutes)}: ${about}`, MAX_TITLE_LENGTH);
  }
  const kind = side === UP ? 'Rise' : rule === 'silence' ? 'Silence' : 'Drop';
  return shorten(`${kind}: ${nameOfSeries(series).replaceAll('`', '')}`, MAX_TITLE_LENGTH);
}

function ruleSentence(series: RiskSeries, { observed, expected, windowMinutes, matched }: Finding): string {
  const noun = nameOfEvents({ ...series, type: null, source: null });
  const one = observed === 1 ? noun.replace(/s$/, '') : noun;
  const about = matched ? nameOfMatched(matched) : nameOfSeries(series);
  return `${formatAmount(observed)} ${one} in ${formatSpan(windowMinutes)}: ${about}. A rule of the project asks for at least ${expected}.`;
}

/** Which events made a rule fire. */
function nameOfMatched({ type, source }: NonNullable<Finding['matched']>): string {
  return source === null ? quote(type) : `${quote(type)} from ${quote(source)}`;
}

function newKindSentence(series: RiskSeries, { example }: Finding): string {
  const quoted = example ? `: “${shorten(example, MAX_EXAMPLE_LENGTH)}”` : '';
  return `A kind of ${nameOfEvents(series)} that was never seen before${quoted}.`;
}

function shorten(text: string, length: number): string {
  const characters = Array.from(toPlain(text));
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length - 1).join('')}…`;
}
