import type { JsonObject } from '../platform/json/json-object.ts';

/** Replaces the texts in a value of JSON, and the names of its fields; unchanged parts stay the same. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? mapList(value, map) : mapObject(value as JsonObject, map);
}

function mapList(list: unknown[], map: (text: string) => string): unknown[] {
  let copy: unknown[] | null = null;
  for (let index = 0; index < list.length; index++) {
    const found = mapTexts(list[index], map);
    if (found === list[index]) continue;
    copy ??= [...list];
    copy[index] = found;
  }
  return copy ?? list;
}

function mapObject(object: JsonObject, map: (text: string) => string): JsonObject {
  let entries: [string, unknown][] | null = null;
  const names = Object.keys(object);
  for (let index = 0; index < names.length; index++) {
    const name = names[index] ?? '';
    const found = mapTexts(object[name], map);
    const foundName = map(name);
    if (found === object[name] && foundName === name) continue;
    entries ??= Object.entries(object);
    entries[index] = [uniqueName(name, foundName, index), found];
  }
  return entries === null ? object : Object.fromEntries(entries);
}

/** Returns the name of a field from which a secret was removed: those of two fields stay different. */
export function uniqueName(name: string, found: string, index: number): string {
  return found === name ? name : `${found} ${index + 1}`;
}
