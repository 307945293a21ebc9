import { toJson } from './json.ts';
import { attempt, isObject, read } from './read.ts';
import { cleanText } from './text.ts';

/** Describes any value in at most `maxLength` characters: an error by its message, an object as JSON. */
export function describe(value: unknown, maxLength: number): string {
  if (typeof value === 'string') return cleanText(value, maxLength);
  if (!isObject(value)) return cleanText(attempt(() => String(value)) ?? '', maxLength);
  const message = read(value, 'message');
  if (typeof message === 'string') return cleanText(message, maxLength);
  const plain = toJson(value, { maxDepth: 8, maxCharacters: 4 * maxLength });
  if (plain === null) return '[Object too large to describe]'.slice(0, maxLength);
  const text = typeof plain.json === 'string' ? plain.json : JSON.stringify(plain.json);
  return cleanText(text, maxLength);
}
