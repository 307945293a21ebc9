import { isObject, type JsonObject } from '../../platform/json/json-object.ts';

/** Kinds of what the queue holds; `unreadable` is a text that is nothing of its project. */
export const KINDS = ['event', 'deploy', 'alerts', 'unreadable'] as const;
export type DeadLetterKind = (typeof KINDS)[number];

const MAX_TITLE_LENGTH = 200;

/** Returns what a list shows of a text of the queue: nothing of one that does not name the project as its own. */
export function describeText(text: string, projectId: string): { kind: DeadLetterKind; title: string } {
  const element = readElement(text);
  if (element?.['projectId'] !== projectId) return { kind: 'unreadable', title: '' };
  if (element['alerts'] !== undefined) return { kind: 'alerts', title: '' };
  if (isObject(element['deploy'])) return { kind: 'deploy', title: toTitle(element['deploy']['release']) };
  return { kind: 'event', title: toTitle(element['message']) };
}

/** Parses an element of a batch; null if it is no object. */
export function readElement(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Returns a short text that PostgreSQL stores, whatever the value is. */
function toTitle(value: unknown): string {
  return typeof value === 'string'
    ? value.slice(0, MAX_TITLE_LENGTH).toWellFormed().replaceAll('\0', '\ufffd')
    : '';
}
