import { ProjectDetector, type UnlearnedTime } from '@tocsin/detector';
import type { RiskSettings } from '../settings/schema.ts';
import { type CountPiece, unpack } from './count-pieces.ts';
import { PreviewedIncidents } from './previewed-incidents.ts';
import { replayCounts } from './replay-counts.ts';
import type { Preview } from './schema.ts';

/** Complete input of a preview: plain data, which is passed from one thread to another. */
export interface PreviewTask {
  settings: RiskSettings;
  pieces: CountPiece[];
  /** Where the detector begins to learn: a whole minute. */
  beginMs: number;
  /** Incidents are reported from here on. */
  fromMs: number;
  toMs: number;
  /** Intervals [from, to) in which no process accepted events. */
  downtimes: [number, number][];
  /** Times from which series learned nothing. */
  unlearned: UnlearnedTime[];
}

/** Finds the incidents of a preview: seconds of work without a pause. */
export function findIncidents(task: PreviewTask): Preview['incidents'] {
  const { settings, pieces, beginMs, fromMs, toMs, downtimes, unlearned } = task;
  const incidents = new PreviewedIncidents(fromMs);
  const detector = new ProjectDetector(beginMs, settings);
  detector.setUnlearned(unlearned);
  replayCounts({ detector, counts: unpack(pieces), beginMs, toMs, downtimes, report: incidents.take });
  return incidents.newestFirst();
}
