import type { ComparedGroup, ComparedRelease, Comparison } from '../../../lib/api-types.ts';
import { formatEvents } from '../../../lib/format.ts';
import { escapeMarkdown } from '../../../ui/display/escape-markdown.ts';
import { formatShare } from '../format-share.ts';
import { texts } from './texts.ts';

/** Count below which a count stands in place of a rate. */
export const MIN_RATED = 20;
const MAX_TITLE = 100;

const NUMBER = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const RATE = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

interface Pair {
  count: number;
  all: number;
  baseCount: number;
  baseAll: number;
  difference: Comparison['difference'];
}

/** A comparison of two releases that both have events. */
export type ComparedPair = Comparison & { release: ComparedRelease; base: ComparedRelease };

export function errorsOf({ release, base, difference }: ComparedPair): Pair {
  return {
    count: release.errors,
    all: release.events,
    baseCount: base.errors,
    baseAll: base.events,
    difference,
  };
}

export function groupOf({ release, base }: ComparedPair, group: ComparedGroup): Pair {
  return {
    count: group.events,
    all: release.events,
    baseCount: group.baseEvents,
    baseAll: base.events,
    difference: group.difference,
  };
}

/** True if one of the counts is too small for a rate or a factor. */
function isSmall({ count, baseCount }: Pair): boolean {
  return Math.min(count, baseCount) < MIN_RATED;
}

/** `+82 points (16×)`, or with its interval where counts are small: `+25 points (−12 to +70)`. */
export function describeChange(pair: Pair): string | null {
  const { difference } = pair;
  if (difference === null) return null;
  const points = formatPoints(difference.value);
  const factor = describeFactor(pair);
  const beside = isSmall(pair)
    ? texts.interval(formatPoints(difference.low), formatPoints(difference.high))
    : factor;
  const said = texts.points(points, Math.abs(100 * difference.value) === 1);
  return beside === null ? said : `${said} (${beside})`;
}

/** `16×`; null for a fall, and where the counts are too small to tell. */
function describeFactor(pair: Pair): string | null {
  const factor = pair.count / pair.all / (pair.baseCount / pair.baseAll);
  if (isSmall(pair) || factor <= 1) return null;
  return texts.factor(factor < 10 ? NUMBER.format(factor) : WHOLE.format(factor));
}

function formatPoints(share: number): string {
  const points = 100 * share;
  const text = Math.abs(points) < 10 ? NUMBER.format(points) : WHOLE.format(points);
  return `${points > 0 ? '+' : ''}${text}`.replace('-', '−').replace(/^−0$/, '0');
}

/** `820 per 1,000 events, was 12`; as counts where these are small: `12 of 1,502 events, was 1 of 16,446`. */
export function describeRates(pair: Pair, base: string): string {
  const { count, all, baseCount, baseAll } = pair;
  if (baseCount === 0) return `${describeRate(count, all)}, ${texts.none0(base)}`;
  if (isSmall(pair)) return describeCounts(pair);
  return `${describeRate(count, all)}, ${texts.was(formatRate(baseCount, baseAll))}`;
}

export function describeRate(count: number, all: number): string {
  return count < MIN_RATED ? texts.countOf(count, all) : texts.rate(formatRate(count, all));
}

function formatRate(count: number, all: number): string {
  return RATE.format((1_000 * count) / all);
}

/** Describes the share of errors in both releases. */
export function describeErrors({ release, base }: ComparedPair): { now: string; before: string } {
  return {
    now: describeShare(release, texts.ofEvents),
    before: describeShare(base, (share) => share),
  };
}

/** `12 of 1,502 events, was 1 of 16,446 events` */
export function describeCounts({ count, all, baseCount, baseAll }: Pair): string {
  return `${texts.countOf(count, all)}, ${texts.was(texts.countOf(baseCount, baseAll))}`;
}

function describeShare({ errors, events }: ComparedRelease, word: (share: string) => string): string {
  return errors < MIN_RATED ? texts.countOf(errors, events) : word(formatShare(errors / events));
}

/** The error group that became worst, a new one included; undefined: none did beyond chance. */
function findWorst({ groups }: ComparedPair): ComparedGroup | undefined {
  const isClear = ({ change, difference }: ComparedGroup) =>
    change === 'new' || (change === 'worse' && difference !== null && difference.low > 0);
  return groups
    .filter((group) => isClear(group) && (group.severity === 'error' || group.severity === 'critical'))
    .toSorted((left, right) => (right.difference?.low ?? 0) - (left.difference?.low ?? 0))[0];
}

function describeWorst(comparison: ComparedPair, worst: ComparedGroup): string {
  const pair = groupOf(comparison, worst);
  if (worst.change === 'new') return texts.summary.isNew(describeRate(pair.count, pair.all));
  if (pair.baseCount === 0) return texts.summary.isBack(describeRate(pair.count, pair.all));
  return describeFactor(pair) ?? `${formatEvents(pair.count)}, ${texts.was(formatEvents(pair.baseCount))}`;
}

/** The comparison in one line, for a chat: `4.18.2 against 4.18.1: errors 88% of events (5.5%), worst: TypeError … 16×`. */
export function toLine(comparison: ComparedPair): string {
  return summarize(comparison, { head: (text) => text, title: (text) => text });
}

/** The same as Markdown, with links to the comparison and the group. */
export function toMarkdownLine(
  comparison: ComparedPair,
  urls: { page: string; group: (id: string) => string },
): string {
  return summarize(comparison, {
    head: (text) => `[${escapeMarkdown(text)}](${urls.page})`,
    title: (text, id) => `[${escapeMarkdown(text)}](${urls.group(id)})`,
  });
}

interface Markup {
  head: (text: string) => string;
  title: (text: string, groupId: string) => string;
}

function summarize(comparison: ComparedPair, markup: Markup): string {
  const { release, base, environment } = comparison;
  const { summary } = texts;
  const { now, before } = describeErrors(comparison);
  const worst = findWorst(comparison);
  const said = worst
    ? `${summary.worst} ${markup.title(shorten(worst.title), worst.id)} ${describeWorst(comparison, worst)}`
    : summary.noWorst;
  const head = markup.head(toOneLine(summary.of(release.version, base.version, environment)));
  return `${head}: ${summary.errors} ${now} ${summary.before(before)}, ${said}`;
}

function shorten(title: string): string {
  const line = toOneLine(title);
  const characters = Array.from(line);
  return characters.length <= MAX_TITLE ? line : `${characters.slice(0, MAX_TITLE).join('').trimEnd()}…`;
}

/** Without line breaks and other control characters, such as those that turn the direction of what follows. */
function toOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
}
