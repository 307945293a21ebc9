import type { ExpensiveReads } from '../../database/expensive-reads.ts';
import { uuidTime } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { inTurns } from '../../platform/timing/turns.ts';
import { SCRUB_RULES, type ScrubChoices, type ScrubRule } from '../../scrubbing/schema.ts';
import { type ScrubSettings, scrub, toScrubSettings } from '../../scrubbing/scrub.ts';
import { type ChangedPlace, listChangedPlaces } from './changed-places.ts';
import { listNewestTexts, type StoredTexts } from './queries.ts';
import type { RulePreview, ScrubPreview } from './schema.ts';

const BOUNDS = { maxEvents: 500, maxBytes: 2 * 1024 * 1024 };
/** Maximum places that are counted for a rule. */
const MAX_PLACES = 200;
const MAX_LISTED_PLACES = 10;

interface PreviewRequest {
  organizationId: string;
  projectId: string;
  choices: ScrubChoices;
  signal: AbortSignal;
}

/** Says what choices would have replaced in the newest events of a project, beyond what was replaced in them. */
export async function previewScrubbing(
  reads: ExpensiveReads,
  { organizationId, projectId, choices, signal }: PreviewRequest,
): Promise<ScrubPreview> {
  const subject = 'the newest events of the project';
  const events = await reads.run({ organizationId, signal, subject }, (database) =>
    listNewestTexts(database, organizationId, projectId, BOUNDS),
  );
  const rules = await inTurns(sumReplacements(events, toScrubSettings(choices)));
  const oldest = events.at(-1);
  return {
    events: events.length,
    since: oldest ? isoTime(uuidTime(oldest.id)) : null,
    rules,
  };
}

/** Sums up by rule what settings would have replaced in events; yields after each pass over the texts of one. */
export function* sumReplacements(
  events: readonly StoredTexts[],
  settings: ScrubSettings,
): Generator<undefined, RulePreview[]> {
  const sums = new Map(SCRUB_RULES.map((rule) => [rule, new RuleSum(rule)]));
  for (const event of events) yield* addEvent(sums, event, settings);
  return [...sums.values()].map((sum) => sum.toPreview());
}

class RuleSum {
  filtered = 0;
  found = 0;
  readonly #rule: ScrubRule;
  readonly #places = new Map<string, RulePreview['places'][number]>();

  constructor(rule: ScrubRule) {
    this.#rule = rule;
  }

  /** @param changed places of one event */
  addPlaces(changed: Iterable<ChangedPlace>): void {
    const byPlace = new Map([...changed].map(({ place, example }) => [place, example]));
    for (const [place, example] of byPlace) {
      const known = this.#places.get(place);
      if (known) known.events++;
      else if (this.#places.size < MAX_PLACES) this.#places.set(place, { place, events: 1, example });
    }
  }

  toPreview(): RulePreview {
    const places = [...this.#places.values()].toSorted((left, right) => right.events - left.events);
    return {
      rule: this.#rule,
      filtered: this.filtered,
      found: this.found,
      places: places.slice(0, MAX_LISTED_PLACES),
    };
  }
}

function* addEvent(
  sums: Map<ScrubRule, RuleSum>,
  event: StoredTexts,
  settings: ScrubSettings,
): Generator<undefined, void> {
  const { id: _id, scrubbed, ...texts } = event;
  for (const [rule, sum] of sums) sum.filtered += scrubbed?.[rule] ?? 0;
  const { fields, counts } = scrub(texts, settings);
  yield;
  if (counts === null) return;
  // All that is shown is from this copy: one that a single rule makes has the secrets of the others.
  const changed = listChangedPlaces(texts, fields);
  const repeats = new Map(changed);
  for (const [rule, sum] of sums) {
    sum.found += counts[rule] ?? 0;
    if (!counts[rule] || rule === 'repeat') continue;
    const alone = scrub(texts, { ...settings, off: new Set(SCRUB_RULES.filter((other) => other !== rule)) });
    const keys = [...listChangedPlaces(texts, alone.fields).keys()];
    yield;
    sum.addPlaces(keys.flatMap((key) => changed.get(key) ?? []));
    for (const key of keys) repeats.delete(key);
  }
  if (counts.repeat) sums.get('repeat')?.addPlaces(repeats.values());
}
