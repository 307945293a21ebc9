import type { Queryable } from '../../database/database.ts';
import type { ScrubChoices } from '../../scrubbing/schema.ts';
import { type ScrubSettings, toScrubSettings } from '../../scrubbing/scrub.ts';
import type { EventMetrics } from './metrics.ts';
import { listScrubChoices } from './queries.ts';

/** Choices of projects about secrets, as they were some seconds ago. A project without a choice has no entry. */
export class ProjectScrubbing {
  readonly #metrics: EventMetrics;
  readonly #defaults: ScrubSettings;
  #known = new Map<string, { choices: string; settings: ScrubSettings }>();

  constructor(metrics: EventMetrics) {
    this.#metrics = metrics;
    this.#defaults = this.#toSettings({ names: [], off: [] });
  }

  readonly settingsOf = (projectId: string): ScrubSettings =>
    this.#known.get(projectId)?.settings ?? this.#defaults;

  /** Loads the choices of all projects. Settings that are as before stay the same, since they remember names. */
  async load(database: Queryable): Promise<void> {
    const rows = await listScrubChoices(database);
    this.#known = new Map(
      rows.map(({ projectId, scrubbing }) => {
        const choices = JSON.stringify(scrubbing);
        const known = this.#known.get(projectId);
        return [
          projectId,
          known?.choices === choices ? known : { choices, settings: this.#toSettings(scrubbing) },
        ];
      }),
    );
  }

  #toSettings(choices: ScrubChoices): ScrubSettings {
    return toScrubSettings(choices, (counts) => {
      for (const [rule, count] of Object.entries(counts)) this.#metrics.scrubbedValues.inc({ rule }, count);
    });
  }
}
