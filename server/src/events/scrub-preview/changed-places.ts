import { isObject } from '../../platform/json/json-object.ts';
import { FILTERED } from '../../scrubbing/replacement.ts';

/** Place at which a value was replaced. */
export interface ChangedPlace {
  /** Names that lead there, without secrets. */
  place: string;
  /** Text there, without secrets, cut around the replacement. */
  example: string;
}

const MAX_PLACE_LENGTH = 200;
const EXAMPLE_LENGTH = 100;
/** Maximum characters of an example before the replacement. */
const LEAD_LENGTH = 40;

/**
 * Lists the places in which a scrubbed copy of a value differs, by the numbers of their fields: these are the same in every
 * copy, where a name may be replaced as well. Unchanged parts, which are the same objects, cost nothing.
 */
export function listChangedPlaces(before: unknown, after: unknown): Map<string, ChangedPlace> {
  const changed = new Map<string, ChangedPlace>();
  compare(before, after, { key: '', place: '' }, changed);
  return changed;
}

function compare(
  before: unknown,
  after: unknown,
  at: { key: string; place: string },
  changed: Map<string, ChangedPlace>,
): void {
  if (before === after) return;
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < before.length; index++)
      compare(before[index], after[index], step(at, index, '[]'), changed);
    return;
  }
  if (isObject(before) && isObject(after)) {
    const [names, replaced] = [Object.keys(before), Object.keys(after)];
    for (let index = 0; index < names.length; index++) {
      const [name = '', newName = ''] = [names[index], replaced[index]];
      const there = step(at, index, at.place === '' ? newName : `.${newName}`);
      if (name !== newName)
        changed.set(`${there.key} name`, { place: cut(there.place), example: cut(newName) });
      compare(before[name], after[newName], there, changed);
    }
    return;
  }
  const text = String(after);
  const start = Math.max(0, text.indexOf(FILTERED) - LEAD_LENGTH);
  const example = text.slice(start, start + EXAMPLE_LENGTH);
  changed.set(at.key, { place: cut(at.place), example: `${start > 0 ? '…' : ''}${example}` });
}

function step({ key, place }: { key: string; place: string }, index: number, name: string) {
  return { key: `${key}.${index}`, place: place.length < MAX_PLACE_LENGTH ? place + name : place };
}

function cut(text: string): string {
  return text.slice(0, MAX_PLACE_LENGTH);
}
