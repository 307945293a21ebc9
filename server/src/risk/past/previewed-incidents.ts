import type { Static } from 'typebox';
import { isoTime } from '../../platform/time.ts';
import type { Verdict } from '../detector/finding.ts';
import { nameOf } from '../detector/series-key.ts';
import { UP } from '../detector/series-memory.ts';
import { severityOfAlarm, worst } from '../detector/severity.ts';
import type { Preview } from '../schema.ts';
import { toSentence } from '../words.ts';
import { toShownNumber } from './shown-number.ts';

type PreviewedIncident = Static<typeof Preview>['incidents'][number];

const MAX_INCIDENTS = 500;
const MAX_ALSO_SERIES = 20;

/** Makes the incidents of a preview out of what a detector says: those that opened at a time or after it. */
export class PreviewedIncidents {
  readonly #fromMs: number;
  /** By their numbers; the newest only, where there are too many. */
  readonly #incidents = new Map<number, PreviewedIncident>();

  constructor(fromMs: number) {
    this.#fromMs = fromMs;
  }

  readonly take = (verdict: Verdict): void => {
    if (verdict.kind === 'opens') this.#open(verdict);
    else if (verdict.kind === 'joins') this.#join(verdict);
    else if (verdict.kind === 'ends') {
      const incident = this.#incidents.get(verdict.incident);
      if (incident) incident.resolvedAt = isoTime(verdict.atMs);
    }
  };

  newestFirst(): PreviewedIncident[] {
    return [...this.#incidents.values()].reverse();
  }

  #open({ incident, series, finding, atMs }: Verdict & { kind: 'opens' | 'joins' }): void {
    if (atMs < this.#fromMs) return;
    const [oldest] = this.#incidents.keys();
    if (oldest !== undefined && this.#incidents.size === MAX_INCIDENTS) this.#incidents.delete(oldest);
    this.#incidents.set(incident, {
      openedAt: isoTime(atMs),
      resolvedAt: null,
      direction: finding.side === UP ? 'up' : 'down',
      rule: finding.rule,
      series,
      alsoSeries: [],
      observed: toShownNumber(finding.observed),
      expected: toShownNumber(finding.expected),
      window: finding.windowMinutes * 60,
      severity: severityOfAlarm(series, finding),
      sentence: toSentence(series, finding),
    });
  }

  #join({ incident: number, series, finding }: Verdict & { kind: 'opens' | 'joins' }): void {
    const incident = this.#incidents.get(number);
    if (!incident) return;
    incident.resolvedAt = null;
    incident.severity = worst(incident.severity, severityOfAlarm(series, finding));
    const known = [incident.series, ...incident.alsoSeries].map(nameOf);
    if (known.includes(nameOf(series)) || incident.alsoSeries.length === MAX_ALSO_SERIES) return;
    incident.alsoSeries.push(series);
  }
}
