import type { Queryable } from '../../database/database.ts';
import { DEFAULT_CHOICES, type ScrubCounts } from '../../scrubbing/schema.ts';
import { type ScrubSettings, toScrubSettings } from '../../scrubbing/scrub.ts';
import type { EventMetrics } from './metrics.ts';
import { listScrubChoices } from './queries.ts';
import { ScrubbedValues } from './scrubbed-values.ts';

/** Maximum remembered settings of projects without a choice; emptied when full. */
const MAX_REMEMBERED = 10_000;

interface KnownSettings {
  choices: string;
  settings: ScrubSettings;
}

/** Choices of projects about secrets, as they were some seconds ago, with the counts of what was replaced. */
export class ProjectScrubbing {
  readonly values = new ScrubbedValues();
  readonly #metrics: EventMetrics;
  #chosen = new Map<string, KnownSettings>();
  /** Settings of projects without a choice. */
  readonly #defaults = new Map<string, ScrubSettings>();

  constructor(metrics: EventMetrics) {
    this.#metrics = metrics;
  }

  readonly settingsOf = (projectId: string): ScrubSettings => {
    const known = this.#chosen.get(projectId)?.settings ?? this.#defaults.get(projectId);
    if (known) return known;
    if (this.#defaults.size >= MAX_REMEMBERED) this.#defaults.clear();
    const settings = toScrubSettings(DEFAULT_CHOICES, this.#count(projectId));
    this.#defaults.set(projectId, settings);
    return settings;
  };

  /** Loads the choices of all projects. Settings that are as before stay the same, since they remember names. */
  async load(database: Queryable): Promise<void> {
    const rows = await listScrubChoices(database);
    this.#chosen = new Map(
      rows.map(({ projectId, scrubbing }) => {
        const choices = JSON.stringify(scrubbing);
        const known = this.#chosen.get(projectId);
        if (known?.choices === choices) return [projectId, known];
        return [projectId, { choices, settings: toScrubSettings(scrubbing, this.#count(projectId)) }];
      }),
    );
  }

  #count(projectId: string): (counts: ScrubCounts) => void {
    return (counts) => {
      this.values.add(projectId, counts);
      for (const [rule, count] of Object.entries(counts)) this.#metrics.scrubbedValues.inc({ rule }, count);
    };
  }
}
