/** The changes that a route can choose. */
export const ROUTE_CHANGES = [
  'opened',
  'worse',
  'resolved',
  'group_new',
  'group_regressed',
  'schedule_missed',
] as const;
export type RouteChange = (typeof ROUTE_CHANGES)[number];

/**
 * `acknowledged` and `updated` (a series joined, the title changed) make no message of their own: they bring one that was
 * sent up to date, where the channel can edit it.
 */
export type Change = RouteChange | 'acknowledged' | 'updated';

/** What changes. */
export type SubjectKind = 'incident' | 'group' | 'schedule';
