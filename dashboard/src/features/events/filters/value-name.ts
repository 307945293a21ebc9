import { MAX_FILTER_VALUE_LENGTH } from '../../../../../server/src/events/limits.ts';
import type { Event } from '../../../lib/api-types.ts';

/* Names of filters by values of an event; null for values without a filter. */

const MAX_DEPTH = 16;
const MAX_NAME_LENGTH = 256;

/** Returns true if the correlation id is a value of the correlation: a search for it finds other events under any key. */
export function isFindable({ correlation, correlationId }: Pick<Event, 'correlation' | 'correlationId'>) {
  return Object.values(correlation).some((value) => textOf(value) === correlationId);
}

/** `correlation.user_id` */
export function correlationName(path: string[], value: unknown): string | null {
  const [key = ''] = path;
  return path.length === 1 && isName(key) && textOf(value) !== null ? `correlation.${key}` : null;
}

/** `payload.cart.id` */
export function payloadName(path: string[], value: unknown): string | null {
  const name = path.join('.');
  const isPath = path.length <= MAX_DEPTH && path.every((part) => part !== '' && !part.includes('.'));
  return isPath && isName(name) && textOf(value) !== null ? `payload.${name}` : null;
}

/** Returns false for names that the API cannot filter by: a `!` at the end would mean another filter. */
function isName(name: string): boolean {
  return name !== '' && name.length <= MAX_NAME_LENGTH && !name.endsWith('!') && !name.includes('\0');
}

/** Returns a value as the service compares it; null if it has several spellings or is too long. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return /e/i.test(String(value)) ? null : String(value);
  if (typeof value !== 'string') return null;
  return value === '' || value.length > MAX_FILTER_VALUE_LENGTH || value.includes('\0') ? null : value;
}
