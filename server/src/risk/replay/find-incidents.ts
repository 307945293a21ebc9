import { ProjectDetector, type UnlearnedTime } from '@tocsin/detector';
import type { RiskSettings } from '../settings/schema.ts';
import { type CountPiece, unpack } from './count-pieces.ts';
import { PreviewedIncidents } from './previewed-incidents.ts';
import { replayCounts } from './replay-counts.ts';
import type { Preview } from './schema.ts';

/** All that a preview is worked out from: plain data, which goes from one thread to another. */
export interface PreviewTask {
  settings: RiskSettings;
  pieces: CountPiece[];
  /** Where the detector begins to learn: a whole minute. */
  beginMs: number;
  /** Incidents are reported from here on. */
  fromMs: number;
  toMs: number;
  /** Intervals [from, to) in which no process took events in. */
  downtimes: [number, number][];
  /** Times from which series learned nothing. */
  unlearned: UnlearnedTime[];
}

/** Seconds of work without a pause. */
export function findIncidents(task: PreviewTask): Preview['incidents'] {
  const { settings, pieces, beginMs, fromMs, toMs, downtimes, unlearned } = task;
  const incidents = new PreviewedIncidents(fromMs);
  const detector = new ProjectDetector(beginMs, settings);
  detector.setUnlearned(unlearned);
  replayCounts({ detector, counts: unpack(pieces), beginMs, toMs, downtimes, report: incidents.take });
  return incidents.newestFirst();
}
