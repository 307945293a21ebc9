import type { SavedLateSources } from '../lateness/late-sources.ts';

/*
 * The keys under which late sources are saved. As in `stored-project.ts`, they are older than the names in the program.
 */

type SavedSource = SavedLateSources['sources'][number];
type SavedReports = SavedLateSources['others'];

interface StoredReports {
  untold: SavedReports['unreported'];
  toldMs: number;
}

interface StoredSource extends Omit<SavedSource, keyof SavedReports | 'observed'>, StoredReports {
  observed: Omit<SavedSource['observed'], 'evaluated' | 'evaluatedErrors'> & Evaluated;
}

/** Events and errors that were evaluated. */
interface Evaluated {
  judged: number;
  judgedErrors: number;
}

export interface StoredLateSources extends Evaluated {
  sources: StoredSource[];
  others: StoredReports;
}

export function toStoredLateSources(saved: SavedLateSources): StoredLateSources {
  return {
    sources: saved.sources.map(({ unreported, reportedMs, observed, ...source }) => {
      const { evaluated, evaluatedErrors, ...others } = observed;
      const stored = { ...others, judged: evaluated, judgedErrors: evaluatedErrors };
      return { ...source, untold: unreported, toldMs: reportedMs, observed: stored };
    }),
    others: { untold: saved.others.unreported, toldMs: saved.others.reportedMs },
    judged: saved.evaluated,
    judgedErrors: saved.evaluatedErrors,
  };
}

export function fromStoredLateSources(stored: StoredLateSources): SavedLateSources {
  return {
    sources: stored.sources.map(({ untold, toldMs, observed, ...source }) => {
      const { judged, judgedErrors, ...others } = observed;
      const restored = { ...others, evaluated: judged, evaluatedErrors: judgedErrors };
      return { ...source, unreported: untold, reportedMs: toldMs, observed: restored };
    }),
    others: { unreported: stored.others.untold, reportedMs: stored.others.toldMs },
    evaluated: stored.judged,
    evaluatedErrors: stored.judgedErrors,
  };
}
