import { projectOfPrefix } from './group-key.ts';
import { MAX_GROUP_PREFIX } from './limits.ts';
import type { Environment, ProjectRow } from './schema.ts';

/** Maximum letters that a name gives a prefix. */
const MAX_LETTERS_OF_NAME = 10;
const OF_ENVIRONMENT: Record<Environment, string> = {
  production: 'PROD',
  staging: 'STG',
  development: 'DEV',
};
/** Maximum former prefixes of a project that lead to its groups; the oldest one is forgotten. */
const MAX_FORMER = 10;

type Prefixes = Pick<ProjectRow, 'groupPrefix' | 'formerGroupPrefixes'>;

/** `Web shop` → `WEB-SHOP`; empty without a letter or a digit. */
export function toGroupPrefix(text: string): string {
  return text
    .normalize('NFKD')
    .toUpperCase()
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join('-');
}

/** True for a prefix that can be chosen. */
export function isGroupPrefix(prefix: string): boolean {
  return prefix !== '' && Array.from(prefix).length <= MAX_GROUP_PREFIX;
}

/** Returns a free prefix for a new project: its name, with the environment or a number if another project has it. */
export function deriveGroupPrefix(
  { name, environment }: Pick<ProjectRow, 'name' | 'environment'>,
  projects: readonly Prefixes[],
): string {
  const letters = Array.from(toGroupPrefix(name)).slice(0, MAX_LETTERS_OF_NAME).join('');
  const base = letters.replace(/-$/, '') || 'GROUP';
  const isFree = (prefix: string) => projectOfPrefix(projects, prefix) === undefined;
  const named = [base, `${base}-${OF_ENVIRONMENT[environment]}`].find(isFree);
  if (named !== undefined) return named;
  let number = 2;
  while (!isFree(`${base}${number}`)) number++;
  return `${base}${number}`;
}

/** Replaces the prefix; the former one goes on leading to the project. */
export function replacePrefix({ groupPrefix, formerGroupPrefixes }: Prefixes, next: string): Prefixes {
  const former = [groupPrefix, ...formerGroupPrefixes.filter((prefix) => prefix !== next)];
  return { groupPrefix: next, formerGroupPrefixes: former.slice(0, MAX_FORMER) };
}
