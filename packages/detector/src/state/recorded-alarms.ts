import {
  alarmNumber,
  CLOSED_AGE,
  findAlarm,
  LEVEL_BEFORE,
  NO_ALARM,
  needAlarm,
  OPENED_AGE,
  QUIET_STEPS,
  REPORTED_REASON,
  releaseAlarm,
  STATUS,
  type StatePlace,
} from './alarm-record.ts';
import type { RecordPlace } from './record-memory.ts';
import { ALARM_BYTE } from './series-head.ts';
import type { SeriesLayout } from './series-layout.ts';
import { SeriesRecord } from './series-record.ts';
import type { Side } from './side.ts';

/** What is kept of the last alarm of each side, by name: see `alarm-record.ts`. */
export class RecordedAlarms extends SeriesRecord {
  /** The record, and its first float. */
  #alarms: Float32Array = NO_ALARM;
  #firstAlarm = 0;

  constructor(layout: SeriesLayout, place: StatePlace) {
    super(layout, place);
    this.findAlarms();
  }

  override followPlace(): void {
    super.followPlace();
    this.findAlarms();
  }

  /** The series is gone: so is what it has beside its place. */
  release(): void {
    releaseAlarm(this.place, ALARM_BYTE);
  }

  /** Its status, the age at which it opened and closed, and the quiet steps since. */
  status(side: Side): number {
    return this.#alarms[this.#firstAlarm + STATUS + side] as number;
  }
  setStatus(side: Side, status: number): void {
    this.#set(STATUS + side, status);
  }
  openedAge(side: Side): number {
    return this.#get(OPENED_AGE + side);
  }
  setOpenedAge(side: Side, age: number): void {
    this.#set(OPENED_AGE + side, age);
  }
  closedAge(side: Side): number {
    return this.#get(CLOSED_AGE + side);
  }
  setClosedAge(side: Side, age: number): void {
    this.#set(CLOSED_AGE + side, age);
  }
  quietSteps(side: Side): number {
    return this.#get(QUIET_STEPS + side);
  }
  setQuietSteps(side: Side, steps: number): void {
    this.#set(QUIET_STEPS + side, steps);
  }
  /** What was expected of a step when it opened; 0: no alarm that could be recovered from. */
  levelBefore(side: Side): number {
    return this.#get(LEVEL_BEFORE + side);
  }
  setLevelBefore(side: Side, level: number): void {
    this.#set(LEVEL_BEFORE + side, level);
  }
  /** Index of the suppression that was reported last, so that it is reported once. */
  reportedReason(side: Side): number {
    return this.#get(REPORTED_REASON + side);
  }
  setReportedReason(side: Side, index: number): void {
    this.#set(REPORTED_REASON + side, index);
  }

  /** The record, to be saved; null: the series has none. */
  protected get alarmRecord(): RecordPlace | null {
    return findAlarm(this.place, ALARM_BYTE);
  }

  protected needAlarm(): RecordPlace {
    return needAlarm(this.place, ALARM_BYTE);
  }

  protected findAlarms(): void {
    const number = alarmNumber(this.place, ALARM_BYTE);
    if (number === 0) {
      this.#alarms = NO_ALARM;
      this.#firstAlarm = 0;
      return;
    }
    const { alarms } = this.place;
    this.#alarms = alarms.viewsAt(number - 1).floats;
    this.#firstAlarm = alarms.startAt(number - 1) / Float32Array.BYTES_PER_ELEMENT;
  }

  #get(field: number): number {
    return this.#alarms[this.#firstAlarm + field] as number;
  }
  #set(field: number, value: number): void {
    // Another view of the series may have made the record.
    if (this.#alarms === NO_ALARM) this.findAlarms();
    if (this.#alarms === NO_ALARM) {
      if (value === 0) return;
      this.needAlarm();
      this.findAlarms();
    }
    this.#alarms[this.#firstAlarm + field] = value;
  }
}
