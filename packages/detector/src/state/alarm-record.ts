import { RecordMemory, type RecordPlace } from './record-memory.ts';

/*
 * What is kept of the last alarm of each side, in a record of its own: most series have never had one, and it would be
 * a tenth of the state of a coarse step. The state holds the number of the record.
 */

/** Where the fields lie, in the order in which they are saved: one float for each side. */
export const STATUS = 0;
export const OPENED_AGE = 2;
export const CLOSED_AGE = 4;
export const QUIET_STEPS = 6;
export const LEVEL_BEFORE = 8;
export const REPORTED_REASON = 10;
export const ALARM_FLOATS = 12;
/** What is read of a series without a record; never written. */
export const NO_ALARM = new Float32Array(ALARM_FLOATS);

/** Of the alarms of many series: few have had one. */
export function createAlarmMemory(): RecordMemory {
  return new RecordMemory(ALARM_FLOATS * Float32Array.BYTES_PER_ELEMENT);
}

/** A record, and the memory of the records of alarms that it refers to. */
export interface StatePlace extends RecordPlace {
  alarms: RecordMemory;
}

/** One more than the number of its record; 0: the series has none, and all fields are 0. @param at where the state holds it */
export function alarmNumber({ bytes, start }: StatePlace, at: number): number {
  return (bytes[start + at] as number) | ((bytes[start + at + 1] as number) << 8); // both lie within
}

export function findAlarm(place: StatePlace, at: number): RecordPlace | null {
  const number = alarmNumber(place, at);
  return number === 0 ? null : place.alarms.at(number - 1);
}

export function needAlarm(place: StatePlace, at: number): RecordPlace {
  const found = findAlarm(place, at);
  if (found) return found;
  const { bytes, start } = place;
  const record = place.alarms.take();
  bytes[start + at] = (record + 1) & 0xff;
  bytes[start + at + 1] = (record + 1) >> 8;
  return place.alarms.at(record);
}

export function releaseAlarm(place: StatePlace, at: number): void {
  const number = alarmNumber(place, at);
  if (number > 0) place.alarms.giveBack(number - 1);
}
