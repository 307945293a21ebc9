import type { Scope } from '../../../lib/scope.ts';
import { type EventSearch, isValueFilter } from '../../../lib/search/event-search.ts';

export type SearchChanges = { [Name in keyof EventSearch]?: EventSearch[Name] | undefined } & Pick<
  Scope,
  'from' | 'to' | 'range' | 'project'
>;

/** A condition of the list: a value that an event must or must not have. */
export interface Filter {
  /** Name in the API, without the `!` of an excluded value. */
  name: string;
  value: string;
  excluded: boolean;
}

const NAMES = [
  'q',
  'severity',
  'type',
  'source',
  'release',
  'environment',
  'correlation_id',
  'correlation',
  'fingerprint',
  'group_id',
  'incident_id',
] as const satisfies (keyof EventSearch)[];

/** Returns all conditions of a search, those by fields first. */
export function filtersOf(search: EventSearch): Filter[] {
  const byField = NAMES.flatMap((name) => {
    const value = search[name];
    return value === undefined ? [] : [{ name, value, excluded: false }];
  });
  const others = Object.entries(search).flatMap(([name, values]) =>
    isValueFilter(name)
      ? [values].flat().flatMap((value): Filter[] => {
          const excluded = name.endsWith('!');
          return typeof value === 'string'
            ? [{ name: excluded ? name.slice(0, -1) : name, value, excluded }]
            : [];
        })
      : [],
  );
  return [...byField, ...others];
}

/** Returns the changes that clear all filters of a search. */
export function withoutFilters(search: Record<string, unknown>): SearchChanges {
  const names = [...NAMES, ...Object.keys(search).filter(isValueFilter)];
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/** Adds a condition: an excluded value joins others of the same name, any other value replaces them. */
export function adding(search: EventSearch, { name, value, excluded }: Filter): SearchChanges {
  if (!excluded) return { [name]: value, ...without(search, { name, value, excluded: true }) };
  const before = excludedValues(search, name);
  const also = search[name as keyof EventSearch] === value ? { [name]: undefined } : {};
  return { ...also, [`${name}!`]: oneOrMore([...before.filter((each) => each !== value), value]) };
}

export function without(search: EventSearch, { name, value, excluded }: Filter): SearchChanges {
  if (!excluded) return { [name]: undefined };
  const left = excludedValues(search, name).filter((each) => each !== value);
  return { [`${name}!`]: oneOrMore(left) };
}

/** Turns an included value into an excluded one, and the reverse. */
export function inverted(search: EventSearch, filter: Filter): SearchChanges {
  return { ...without(search, filter), ...adding(search, { ...filter, excluded: !filter.excluded }) };
}

function excludedValues(search: EventSearch, name: string): string[] {
  const values = search[`${name}!`];
  return values === undefined ? [] : [values].flat();
}

/** Unwraps a single value, which an address shows without brackets. */
function oneOrMore(values: string[]): string | string[] | undefined {
  return values.length > 1 ? values : values[0];
}
