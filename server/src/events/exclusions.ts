import { type Static, Type } from 'typebox';
import { foldEnvironment } from '../environments/fold-environment.ts';
import { toUuid } from '../platform/ids.ts';
import type { GroupFingerprints } from './group-queries.ts';
import { invalidQuery } from './invalid-query.ts';
import { MAX_EXCLUSIONS, MAX_FILTER_VALUE_LENGTH } from './limits.ts';
import { Severity } from './severity.ts';
import type { CorrelationPair, PayloadValue } from './value-filters.ts';

/** Values that an event must not have. An event without a source, a release or a key has none of their values. */
export interface Exclusions {
  /** UUIDs. */
  projectIds: string[];
  environments: string[];
  types: string[];
  severities: Severity[];
  sources: string[];
  correlationIds: string[];
  fingerprints: string[];
  releases: string[];
  groups: GroupFingerprints[];
  pairs: CorrelationPair[];
  paths: PayloadValue[];
}

/** Schema of one value, or several: each occurrence of the parameter is one. */
const oneOrMore = <T extends string>(item: Type.TSchema & { static?: T }, description: string) =>
  Type.Optional(Type.Unsafe<T | T[]>({ ...Type.Union([item, Type.Array(item)]), description }));

const not = (field: string) =>
  `Not this ${field}; may be given more than once. At most ${MAX_EXCLUSIONS} such conditions in a query.`;

/** `NAME!=VALUE`: events that do not have this value. */
export const ExclusionFilter = Type.Object({
  'project_id!': oneOrMore(Type.String({ maxLength: 256 }), not('project')),
  'environment!': oneOrMore(Type.String({ maxLength: 256 }), not('environment')),
  'type!': oneOrMore(Type.String({ maxLength: 1024 }), not('type')),
  'severity!': oneOrMore<Severity>(Severity, not('severity')),
  'source!': oneOrMore(Type.String({ maxLength: 1024 }), `${not('source')} Events without a source match.`),
  'correlation_id!': oneOrMore(Type.String({ maxLength: 4096 }), not('correlation id')),
  'correlation!': oneOrMore(
    Type.String({ maxLength: MAX_FILTER_VALUE_LENGTH }),
    `${not('value')} Events of whose correlation no key has it.`,
  ),
  'fingerprint!': oneOrMore(Type.String({ maxLength: 256 }), not('fingerprint')),
  'release!': oneOrMore(
    Type.String({ maxLength: 1024 }),
    `${not('release')} Events without a release match.`,
  ),
  'group_id!': oneOrMore(Type.String({ maxLength: 256 }), not('group')),
});

export const NO_EXCLUSIONS: Exclusions = {
  projectIds: [],
  environments: [],
  types: [],
  severities: [],
  sources: [],
  correlationIds: [],
  fingerprints: [],
  releases: [],
  groups: [],
  pairs: [],
  paths: [],
};

/**
 * Reads the parameters of a validated query that end in `!`, except for values of correlation and payload. An unknown
 * id excludes nothing.
 */
export async function readExclusions(
  query: Static<typeof ExclusionFilter>,
  findGroup: (groupId: string) => Promise<GroupFingerprints | null>,
): Promise<Omit<Exclusions, 'pairs' | 'paths'>> {
  const groupIds = idsOf('grp', query['group_id!']);
  const groups = await Promise.all(groupIds.map(findGroup));
  return {
    projectIds: idsOf('proj', query['project_id!']),
    environments: listOf(query['environment!']).flatMap((name) => foldEnvironment(name) ?? []),
    types: listOf(query['type!']),
    severities: listOf(query['severity!']),
    sources: listOf(query['source!']),
    correlationIds: listOf(query['correlation_id!']),
    fingerprints: listOf(query['fingerprint!']),
    releases: listOf(query['release!']),
    groups: groups.filter((group) => group !== null),
  };
}

/** @throws ApiError `validation_failed` for more than 16 excluded values, and for a NUL character in one */
export function refuseExclusions(query: Record<string, unknown>): void {
  let count = 0;
  for (const [name, value] of Object.entries(query)) {
    if (!name.endsWith('!')) continue;
    const values = listOf(value);
    count += values.length;
    if (values.some((each) => typeof each === 'string' && each.includes('\0')))
      throw invalidQuery(`/${name.slice(0, 64)}`, 'must not hold a NUL character');
    if (count > MAX_EXCLUSIONS)
      throw invalidQuery(`/${name.slice(0, 64)}`, `is one of more than ${MAX_EXCLUSIONS} excluded values`);
  }
}

function idsOf(prefix: 'proj' | 'grp', value: string | string[] | undefined): string[] {
  return listOf(value).flatMap((text) => toUuid(prefix, text) ?? []);
}

function listOf<T>(value: T | T[] | undefined): T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}
