import { type DetectorEvent, type KnownError, toBytes } from '@tocsin/detector';
import type { OpenedAlarm } from '../headline/opened-alarm.ts';
import { type ReplayTask, replayTask } from '../replay/find-incidents.ts';

/** Maximum alarms of the time since a rebuild began: the newest. */
const MAX_OPENED = 500;

/** Complete input of a rebuild: plain data. */
export interface RebuildTask extends ReplayTask {
  /** Errors that are known, each as it was seen last, the oldest first. */
  knownErrors: KnownError[];
  /** Alarms that open after it are returned. */
  sinceMs: number;
}

export interface RebuiltDetector {
  state: Uint8Array;
  opened: OpenedAlarm[];
}

/** Makes the state that past counts lead to: seconds of work without a pause. */
export function rebuildDetector(task: RebuildTask): RebuiltDetector {
  const opened = new RecentAlarms(task.sinceMs);
  const detector = replayTask(task, opened.take);
  detector.adoptErrors(task.knownErrors);
  return { state: toBytes(detector.save()), opened: opened.alarms };
}

/** Alarms that opened after a time: nothing is reported about the time before. */
export class RecentAlarms {
  readonly #sinceMs: number;
  readonly alarms: OpenedAlarm[];

  constructor(sinceMs: number, alarms: OpenedAlarm[] = []) {
    this.#sinceMs = sinceMs;
    this.alarms = alarms;
  }

  readonly take = (event: DetectorEvent): void => {
    if (event.kind !== 'opens' && event.kind !== 'attaches') return;
    if (event.atMs <= this.#sinceMs) return;
    this.alarms.push(event);
    if (this.alarms.length > MAX_OPENED) this.alarms.shift();
  };
}
