import { isErrorOrWorse } from '../../events/severity.ts';
import type { NewestEvent } from '../../incidents/event-queries.ts';
import type { MainGroup } from '../../incidents/stored-evidence.ts';
import { toPlain } from '../../incidents/wording.ts';
import type { OpenedAlarm } from './opened-alarm.ts';
import { placeOf } from './places.ts';
import { MAX_TITLE_LENGTH, shorten, toTitle } from './words.ts';

/**
 * An incident's title until a person chooses another: the error and its place if one group has most of the events,
 * else the narrowest place that has more than half of them.
 */
export function titleOfLead(alarm: OpenedAlarm, main: MainGroup | null, newestEvents: NewestEvent[]): string {
  if (main && isErrorOrWorse(main.severity)) return errorTitle(main);
  return toTitle(placeOf(alarm, newestEvents), alarm.anomaly);
}

function errorTitle({ title, source }: Pick<MainGroup, 'title' | 'source'>): string {
  const place = source === null ? '' : ` in ${shorten(source, MAX_TITLE_LENGTH / 2)}`;
  return `${shorten(toPlain(title), MAX_TITLE_LENGTH - place.length)}${place}`;
}
