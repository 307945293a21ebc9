import { MAX_SOURCE_LENGTH } from '../../events/limits.ts';
import type { Severity } from '../../events/severity.ts';
import { isObject, type JsonObject } from '../../platform/json/json-object.ts';
import { MAX_RELEASE_LENGTH } from '../../releases/limits.ts';
import type { Changes } from '../event/changes.ts';
import { toCorrelation as correlate } from '../event/correlation.ts';
import type { Correlation } from '../event/schema.ts';
import { toText } from './json-values.ts';

const SEVERITIES = new Map<unknown, Severity>([
  ['fatal', 'critical'],
  ['critical', 'critical'],
  ['error', 'error'],
  ['warning', 'warn'],
  ['warn', 'warn'],
  ['log', 'info'],
  ['info', 'info'],
  ['debug', 'info'],
  ['trace', 'info'],
]);

/** Severity of a level; that of an error where the level is absent or unknown. */
export function toSeverity(level: unknown): Severity {
  return SEVERITIES.get(level) ?? 'error';
}

/** Version of the application as a field of the event, and the name in front of its `@`. */
export function readRelease(value: unknown, changes: Changes): { release?: string; name: string | null } {
  const text = toText(value);
  if (text === null) return { name: null };
  const at = text.indexOf('@');
  return { release: changes.shorten(text, MAX_RELEASE_LENGTH), name: at > 0 ? text.slice(0, at) : null };
}

/** The first of some names of a service; null: there is none. Never the name of a machine, which changes. */
export function toSource(names: unknown[], changes: Changes): string | null {
  for (const name of names) {
    const text = toText(name);
    if (text !== null) return changes.shorten(text, MAX_SOURCE_LENGTH);
  }
  return null;
}

/** Returns the correlation of pairs of keys and values. Truth values count as texts, and pairs without a key are left out. */
export function toCorrelation(pairs: (readonly [string, unknown])[], changes: Changes): Correlation {
  const worded = pairs.map(([key, value]) => [key, toText(value)] as const);
  return correlate(
    worded.filter(([key]) => key !== ''),
    changes,
  );
}

/** Pairs of tags, which are an object or a list of pairs. */
export function tagPairs(tags: unknown): (readonly [string, unknown])[] {
  if (isObject(tags)) return Object.entries(tags);
  if (!Array.isArray(tags)) return [];
  return tags.flatMap((pair: unknown) =>
    Array.isArray(pair) && typeof pair[0] === 'string' ? [[pair[0], pair[1] as unknown] as const] : [],
  );
}

/** The fields that have a value. */
export function compact(fields: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && value !== null && !(isObject(value) && isEmpty(value)),
    ),
  );
}

function isEmpty(object: JsonObject): boolean {
  return Object.keys(object).length === 0;
}
