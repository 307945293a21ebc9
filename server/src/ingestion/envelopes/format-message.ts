import { isObject, type JsonObject, toList, toObject } from '../../platform/json/json-object.ts';
import { toText } from './json-values.ts';

/** Maximum parameters that are put into a message. */
const MAX_PARAMETERS = 100;
const PLACE = /%(?:\((?<name>\w{1,100})\))?[sdifrxo]|\{(?<field>\w{0,100})\}/g;

/** Text of an event without an exception: formatted by its client, or here; null: it has none. */
export function formatMessage(event: JsonObject): string | null {
  const { message } = event;
  const entry = toObject(
    event.logentry ?? event['sentry.interfaces.Message'] ?? (isObject(message) ? message : null),
  );
  const formatted = toText(entry.formatted) ?? toText(message);
  if (formatted !== null) return formatted;
  const template = toText(entry.message);
  return template === null ? null : fill(template, entry.params);
}

function fill(template: string, params: unknown): string {
  const named = toObject(params);
  const listed = toList(params);
  let next = 0;
  return template.replace(PLACE, (place, name?: string, field?: string) => {
    const key = name ?? (field === '' ? undefined : field);
    if (next >= MAX_PARAMETERS) return place;
    const value = key === undefined ? listed[next++] : Object.hasOwn(named, key) ? named[key] : undefined;
    return toText(value) ?? place;
  });
}
