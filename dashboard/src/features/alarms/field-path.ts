import type { CountRule } from '../../lib/api-types.ts';

type Field = NonNullable<CountRule['field']>;

/** Returns a path as typed: keys with dots between, and a backslash before a dot or a backslash of a key. */
export function joinPath(path: readonly string[]): string {
  return path.map((key) => key.replaceAll(/[\\.]/g, String.raw`\$&`)).join('.');
}

/** Returns the keys of a typed path. */
export function splitPath(text: string): string[] {
  const keys = [''];
  for (const [part] of text.trim().matchAll(/\\[\\.]|./gsu)) {
    if (part === '.') keys.push('');
    else keys.push(`${keys.pop() ?? ''}${part.length > 1 && part.startsWith('\\') ? part.slice(1) : part}`);
  }
  return keys;
}

/** Returns a typed value: a number where it is written as one. */
export function toFieldValue(operator: Field['operator'], text: string): Field['value'] {
  if (operator === 'exists') return null;
  const isNumber = operator === 'greater' || operator === 'less' || String(Number(text)) === text;
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : text;
}
