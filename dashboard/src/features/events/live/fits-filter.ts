import { foldEnvironment } from '../../../../../server/src/environments/fold-environment.ts';
import type { EventFilterParameters, ListedEventRecord } from '../../../lib/api-types.ts';

/** Returns true if a live event belongs in a list: applies the filters as the service does, except for the time. */
export function fitsFilter(event: ListedEventRecord, filter: EventFilterParameters): boolean {
  const { q = '', from: _from, to: _to, ...values } = filter;
  const has = (name: string, wanted: string) => valuesOf(event, name).includes(wanted);
  return (
    holdsWords(event.message, q) &&
    Object.entries(values).every(([name, value]) => {
      const texts = [value ?? []].flat();
      const wanted = /^environment!?$/.test(name)
        ? texts.map((text) => foldEnvironment(text) ?? text)
        : texts;
      return name.endsWith('!')
        ? !wanted.some((each) => has(name.slice(0, -1), each))
        : wanted.every((each) => has(name, each));
    })
  );
}

/** Returns the values of an event for the name of a filter, as texts. */
function valuesOf(event: ListedEventRecord, name: string): unknown[] {
  const { correlation, payload, projectId } = event;
  if (name === 'correlation') return Object.values(correlation).map(toText);
  if (name.startsWith('correlation.')) return [toText(correlation[name.slice('correlation.'.length)])];
  if (name.startsWith('payload.')) return [toText(valueAt(payload, name.split('.').slice(1)))];
  const fields: Record<string, unknown> = {
    project_id: projectId,
    environment: event.environment,
    type: event.type,
    severity: event.severity,
    source: event.source,
    correlation_id: event.correlationId,
    fingerprint: event.fingerprint,
    release: event.release,
    group_id: event.groupId,
  };
  return [fields[name]];
}

function valueAt(value: unknown, path: string[]): unknown {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = (found as Record<string, unknown>)[name];
  }
  return found;
}

function toText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** Number of characters of a message that the service searches. */
const SEARCHED_CHARACTERS = 2_000;

function holdsWords(message: string, words: string): boolean {
  const text = message.slice(0, SEARCHED_CHARACTERS).toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
