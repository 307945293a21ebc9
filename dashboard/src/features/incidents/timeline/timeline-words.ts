import type { TimelineItem } from '../../../lib/api-types.ts';

/** What an entry of the timeline says has happened, in one line; null where it is a note and nothing else. */
export function describeEntry({ from, to }: Pick<TimelineItem, 'from' | 'to'>): string | null {
  if (!to) return null;
  if (!from)
    return `opened it as ${to.severity ?? 'an incident'}${to.status === 'investigating' ? ', investigating' : ''}`;
  const parts = [
    to.status && `${from.status ?? '?'} → ${to.status}`,
    to.severity && `severity ${from.severity ?? '?'} → ${to.severity}`,
    to.title !== undefined && `title “${from.title ?? ''}” → “${to.title}”`,
  ].filter(Boolean);
  return parts.length === 0 ? null : parts.join(', ');
}
