import type { GroupSort, GroupState, Severity } from '../api-types.ts';
import type { Scope } from '../scope.ts';

export type GroupStateChoice = GroupState | 'all';
/** Minimum severity; `all` includes info. */
export type MinSeverity = Exclude<Severity, 'info'> | 'all';
export type GroupMark = 'new' | 'regressed';

/** Parameters of the groups page besides the scope. */
export interface GroupSearch {
  /** Default: open. */
  state?: GroupStateChoice | undefined;
  is?: GroupMark | undefined;
  /** Default: warn. */
  severity?: MinSeverity | undefined;
  /** `me`, `none` or the id of a member. */
  assignee?: string | undefined;
  release?: string | undefined;
  environment?: string | undefined;
  source?: string | undefined;
  type?: string | undefined;
  q?: string | undefined;
  /** Default: last_seen. */
  sort?: GroupSort | undefined;
}

export const DEFAULT_MIN_SEVERITY: MinSeverity = 'warn';
export const DEFAULT_GROUP_SORT: GroupSort = 'last_seen';

export const STATE_CHOICES = ['open', 'resolved', 'muted', 'all'] as const satisfies GroupStateChoice[];
export const MIN_SEVERITIES = ['warn', 'error', 'critical', 'all'] as const satisfies MinSeverity[];
export const GROUP_SORTS = ['last_seen', 'first_seen', 'count', 'users'] as const satisfies GroupSort[];
const MARKS = ['new', 'regressed'] as const satisfies GroupMark[];
const TEXTS = ['assignee', 'release', 'environment', 'source', 'type', 'q'] as const;

/** Reads the filters of a URL; unknown parameters are left out. A filter that looks like a number stays text. */
export function readGroupSearch(search: Record<string, unknown>): GroupSearch {
  const found: GroupSearch = {};
  for (const name of TEXTS) {
    const value = search[name];
    if ((typeof value === 'string' && value !== '') || typeof value === 'number') found[name] = String(value);
  }
  const state = STATE_CHOICES.find((known) => known === search.state);
  const severity = MIN_SEVERITIES.find((known) => known === search.severity);
  const mark = MARKS.find((known) => known === search.is);
  const sort = GROUP_SORTS.find((known) => known === search.sort);
  return {
    ...found,
    ...(state && { state }),
    ...(severity && { severity }),
    ...(mark && { is: mark }),
    ...(sort && { sort }),
  };
}

/** Converts filters and project to the query of `GET /groups`. */
export function toGroupQuery(search: GroupSearch, { project }: Scope): Record<string, string | undefined> {
  const { state = 'open', severity = DEFAULT_MIN_SEVERITY, sort = DEFAULT_GROUP_SORT, ...filters } = search;
  return {
    ...filters,
    project_id: project,
    state: state === 'all' ? undefined : state,
    min_severity: severity === 'all' ? undefined : severity,
    sort,
  };
}

/** Parameters of the page of a group. */
export interface GroupPageSearch {
  /** Menu that is open at first. */
  change?: 'mute' | undefined;
  /** Length of a silence, whose dialog is open at first. */
  silence?: string | undefined;
}

export function readGroupPageSearch({ change, silence }: Record<string, unknown>): GroupPageSearch {
  return {
    change: change === 'mute' ? change : undefined,
    // Any other value than a known length is the usual one.
    silence: silence === undefined || typeof silence === 'string' ? silence : '',
  };
}
