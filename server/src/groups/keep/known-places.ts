import { keyOf, type Print } from './batch.ts';
import type { Place } from './place-queries.ts';

/** Of a few hundred bytes each: some megabytes. */
const MAX_PLACES = 20_000;

/**
 * Where fingerprints lead, as this process last read it. A fingerprint leads to its group until the group is deleted, whose
 * id does not come back: so what is known here is right as long as the group can be locked. Into which group it was merged
 * may have changed. Beyond the bound all are forgotten.
 */
export class KnownPlaces {
  readonly #places = new Map<string, Place>();

  get({ projectId, fingerprint }: Pick<Print, 'projectId' | 'fingerprint'>): Place | undefined {
    return this.#places.get(keyOf(projectId, fingerprint));
  }

  add(place: Place): void {
    if (this.#places.size >= MAX_PLACES) this.#places.clear();
    this.#places.set(keyOf(place.projectId, place.fingerprint), place);
  }

  delete({ projectId, fingerprint }: Pick<Print, 'projectId' | 'fingerprint'>): void {
    this.#places.delete(keyOf(projectId, fingerprint));
  }
}
