import { type Anomaly, UP } from '@tocsin/detector';
import type { NewestEvent } from '../../events/read-types.ts';
import { isErrorOrWorse } from '../../events/severity.ts';
import type { RiskSeries } from '../../incidents/evidence-schema.ts';
import type { MainGroup } from '../../incidents/stored-evidence.ts';
import { formatSpan, nameOfSeries, nameOfShare, titleOfChange, toPlain } from '../../incidents/wording.ts';
import type { OpenedAlarm } from './opened-alarm.ts';
import { placeOf } from './places.ts';
import { nameOfMatched, shorten } from './words.ts';

const MAX_TITLE_LENGTH = 200;

/**
 * An incident's title until a person chooses another: the name of the project's own rule, or the error and its place if one
 * group has most of the events, else the narrowest place that has more than half of them.
 */
export function titleOfLead(alarm: OpenedAlarm, main: MainGroup | null, newestEvents: NewestEvent[]): string {
  const isNamed = alarm.anomaly.ruleName !== undefined;
  if (!isNamed && main && isErrorOrWorse(main.severity)) return errorTitle(main);
  return toTitle(placeOf(alarm, newestEvents), alarm.anomaly);
}

function errorTitle({ title, source }: Pick<MainGroup, 'title' | 'source'>): string {
  const place = source === null ? '' : ` in ${shorten(source, MAX_TITLE_LENGTH / 2)}`;
  return `${shorten(toPlain(title), MAX_TITLE_LENGTH - place.length)}${place}`;
}

/** The title of an alarm by itself. */
export function toTitle(series: RiskSeries, anomaly: Anomaly): string {
  const { rule, ruleName } = anomaly;
  const title = ruleName === undefined ? TITLES[rule](series, anomaly) : toPlain(ruleName);
  return shorten(title, MAX_TITLE_LENGTH);
}

/** "checkout errors up in shop". */
const titleOfRate = (series: RiskSeries, { side }: Anomaly) =>
  titleOfChange(series, side === UP ? 'up' : 'down');

/** Titles of each rule without a name. */
const TITLES: Record<Anomaly['rule'], (series: RiskSeries, anomaly: Anomaly) => string> = {
  failed_payments: () => 'Failed payments',
  new_kind: (series, { example }) => example || series.type || nameOfSeries(series),
  at_least: (series, { matched, expected, windowMinutes }) => {
    const about = (matched ? nameOfMatched(matched) : nameOfSeries(series)).replaceAll('`', '');
    return expected === 1 && series.severity === 'critical'
      ? `Critical event: ${about}`
      : `At least ${expected} in ${formatSpan(windowMinutes)}: ${about}`;
  },
  above_share: (series, { expected }) =>
    `More than ${expected}% of ${nameOfShare(series)}`.replaceAll('`', ''),
  error_share: (series) => titleOfChange(series, 'more frequent'),
  silence: (series) => `No ${nameOfSeries(series).replaceAll('`', '')}`,
  rise: titleOfRate,
  drop: titleOfRate,
};
