/*
 * The dashboard imports this file as code, so it imports nothing.
 */

export const MAX_ENVIRONMENT_LENGTH = 64;

/** Other spellings of the three environments that a project may have. */
const SPELLINGS = new Map([
  ['prod', 'production'],
  ['live', 'production'],
  ['stage', 'staging'],
  ['stg', 'staging'],
  ['preprod', 'staging'],
  ['dev', 'development'],
  ['local', 'development'],
  ['test', 'development'],
]);

/**
 * Returns the name of an environment in its one spelling: without white space around it, in lower case, at most 64
 * characters; undefined for a blank text. Every name of an environment passes through here once, when it is accepted.
 */
export function foldEnvironment(text: string): string | undefined {
  // A character has at most two UTF-16 units.
  const lower = text
    .trim()
    .slice(0, 2 * MAX_ENVIRONMENT_LENGTH)
    .toLowerCase();
  const isShort = lower.length <= MAX_ENVIRONMENT_LENGTH;
  const bounded = isShort ? lower : Array.from(lower).slice(0, MAX_ENVIRONMENT_LENGTH).join('');
  const name = bounded.toWellFormed().trim();
  if (name === '') return undefined;
  return SPELLINGS.get(name) ?? name;
}
