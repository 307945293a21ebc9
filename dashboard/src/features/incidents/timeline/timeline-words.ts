import type { Status, TimelineItem } from '../../../lib/api-types.ts';

/** The text of a timeline entry after the person's name: "started investigating". */
export function describeEntry({ from, to, note }: Pick<TimelineItem, 'from' | 'to' | 'note'>): string {
  if (!to) return note === null ? 'made a change' : 'added a note';
  if (!from) return `created this incident${detailsOf(to)}`;
  const parts = [
    to.status && (from.status === 'resolved' ? 'undid the resolution' : STATUS_WORDS[to.status]),
    to.severity && `changed severity from ${from.severity ?? 'unknown'} to ${to.severity}`,
    to.title !== undefined && `renamed “${from.title ?? ''}” to “${to.title}”`,
  ].filter(Boolean);
  return parts.length === 0 ? 'made a change' : parts.join(', ');
}

/** The same where the service did it: a whole phrase. */
export function describeOwnEntry(entry: Pick<TimelineItem, 'from' | 'to' | 'note'>): string {
  const { from, to } = entry;
  if (to && !from) return `Opened automatically${detailsOf(to)}`;
  return to ? `Tocsin ${describeEntry(entry)}` : 'Tocsin';
}

const STATUS_WORDS: Record<Status, string> = {
  open: 'reopened this',
  investigating: 'started investigating',
  resolved: 'resolved this',
};

function detailsOf({ severity, status }: NonNullable<TimelineItem['to']>): string {
  return `${severity ? ` · ${severity}` : ''}${status === 'investigating' ? ' · investigating' : ''}`;
}
