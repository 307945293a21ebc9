/** Changes that a route can choose. */
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
 * `acknowledged` and `updated` (a series joined, the title changed) make no message of their own: they edit one that
 * was sent, if the channel can.
 */
export type Change = RouteChange | 'acknowledged' | 'updated';

/** Kind of the changed subject. */
export type SubjectKind = 'incident' | 'group' | 'schedule';
