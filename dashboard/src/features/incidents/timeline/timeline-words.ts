import type { TimelineItem } from '../../../lib/api-types.ts';
import { texts } from '../texts.ts';

/** Describes a timeline entry after the person's name: "started investigating". */
export function describeEntry({ from, to, note }: Pick<TimelineItem, 'from' | 'to' | 'note'>): string {
  if (!to) return note === null ? texts.timeline.changed : texts.timeline.noted;
  if (!from) return texts.timeline.created(detailsOf(to));
  const parts = [
    to.status && (from.status === 'resolved' ? texts.timeline.undid : texts.timeline.became[to.status]),
    to.severity && texts.timeline.severity(from.severity ?? null, to.severity),
    to.title !== undefined && texts.timeline.renamed(from.title ?? '', to.title),
  ].filter(Boolean);
  return parts.length === 0 ? texts.timeline.changed : parts.join(', ');
}

/** Describes an entry of the service itself as a whole phrase. */
export function describeOwnEntry(entry: Pick<TimelineItem, 'from' | 'to' | 'note'>): string {
  const { from, to } = entry;
  if (to && !from) return texts.timeline.opened(detailsOf(to));
  return to ? `Tocsin ${describeEntry(entry)}` : 'Tocsin';
}

function detailsOf({ severity, status }: NonNullable<TimelineItem['to']>): string {
  return `${severity ? ` · ${severity}` : ''}${status === 'investigating' ? ' · investigating' : ''}`;
}
