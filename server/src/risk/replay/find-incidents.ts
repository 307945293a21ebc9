import { type DetectorEvent, ProjectDetector, type UnlearnedTime } from '@tocsin/detector';
import type { RiskSettings } from '../settings/schema.ts';
import { type CountPiece, unpack } from './count-pieces.ts';
import { PreviewedIncidents } from './previewed-incidents.ts';
import { replayCounts } from './replay-counts.ts';
import type { Preview } from './schema.ts';

/** Complete input of a replay: plain data, which is passed from one thread to another. */
export interface ReplayTask {
  settings: RiskSettings;
  pieces: CountPiece[];
  /** Where the detector begins to learn: a whole minute. */
  beginMs: number;
  toMs: number;
  /** Intervals [from, to) in which no process accepted events. */
  downtimes: [number, number][];
  /** Times from which series learned nothing. */
  unlearned: UnlearnedTime[];
  /** Maximum number of series that are told apart; missing: as many as a detector may have. */
  maxSeries?: number;
}

export interface PreviewTask extends ReplayTask {
  /** Incidents are reported from here on. */
  fromMs: number;
}

/** Finds the incidents of a preview: seconds of work without a pause. */
export function findIncidents(task: PreviewTask): Preview['incidents'] {
  const incidents = new PreviewedIncidents(task.fromMs);
  replayTask(task, incidents.take);
  return incidents.newestFirst();
}

/** Moves a new detector through the counts of a task, without rules about fields: past counts do not tell which events had one. */
export function replayTask(task: ReplayTask, report: (event: DetectorEvent) => void): ProjectDetector {
  const { settings, pieces, beginMs, toMs, downtimes, unlearned, maxSeries } = task;
  const detector = new ProjectDetector(beginMs, withoutFields(settings));
  if (maxSeries !== undefined) detector.limitSeries(maxSeries);
  detector.setUnlearned(unlearned);
  replayCounts({ detector, counts: unpack(pieces), beginMs, toMs, downtimes, report });
  return detector;
}

/** Returns the settings that past counts can be evaluated by. */
export function withoutFields(settings: RiskSettings): RiskSettings {
  return { ...settings, rules: settings.rules.filter(({ field }) => !field) };
}
