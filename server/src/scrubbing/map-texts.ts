import type { JsonObject } from '../platform/json/json-object.ts';
import { isPair, isRawHeaders, labelOfElement, labelOfField } from './named-values.ts';

interface TextMapping {
  map: (text: string) => string;
  /** True for the name of a field that stays as it is. */
  isKept: (name: string) => boolean;
  /** Fields of the object itself that stay as they are. */
  keptFields: ReadonlySet<string>;
}

/**
 * Replaces the texts in an object of JSON, and the names of its fields; unchanged parts stay the same, and so do fields below
 * those of the object itself that are to be kept.
 */
export function mapTexts(object: JsonObject, mapping: TextMapping): JsonObject {
  return mapObject(object, mapping, true);
}

function mapValue(value: unknown, mapping: TextMapping, isHeaders = false): unknown {
  if (typeof value === 'string') return mapping.map(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? mapList(value, mapping, isHeaders) : mapObject(value as JsonObject, mapping);
}

function mapList(list: unknown[], mapping: TextMapping, isHeaders = false): unknown[] {
  let copy: unknown[] | null = null;
  for (let index = 0; index < list.length; index++) {
    const value = list[index];
    if (isKeptLabel(isPair(value) ? value[0] : labelOfElement(list, index, isHeaders), mapping)) continue;
    const found = mapValue(value, mapping);
    if (found === value) continue;
    copy ??= [...list];
    copy[index] = found;
  }
  return copy ?? list;
}

function mapObject(object: JsonObject, mapping: TextMapping, isTop = false): JsonObject {
  let entries: [string, unknown][] | null = null;
  const names = Object.keys(object);
  for (let index = 0; index < names.length; index++) {
    const name = names[index] ?? '';
    if (isTop ? mapping.keptFields.has(name) : mapping.isKept(name)) continue;
    const value = object[name];
    const isKept = isKeptLabel(labelOfField(name, object), mapping);
    const found = isKept ? value : mapValue(value, mapping, isRawHeaders(name));
    const foundName = mapping.map(name);
    if (found === value && foundName === name) continue;
    entries ??= Object.entries(object);
    entries[index] = [uniqueName(name, foundName, index), found];
  }
  return entries === null ? object : Object.fromEntries(entries);
}

function isKeptLabel(label: unknown, { isKept }: TextMapping): boolean {
  return typeof label === 'string' && isKept(label);
}

/** Returns the name of a field from which a secret was removed: those of two fields stay different. */
export function uniqueName(name: string, found: string, index: number): string {
  return found === name ? name : `${found} ${index + 1}`;
}
