import { formatCount } from '../../../lib/format.ts';

const events = (count: number) => `${formatCount(count)} ${count === 1 ? 'event' : 'events'}`;

/** Texts of the preview of choices about secrets. */
export const texts = {
  preview: 'Preview',
  title: 'Preview on past events',
  none: 'No events yet.',
  hint: (count: number) => `Tested on the newest ${events(count)}.`,
  keptUnknown: 'Already filtered values are gone, so the preview can’t show the effect of fields to keep.',
  nothing: 'No changes.',
  rule: 'Rule',
  filtered: 'Filtered so far',
  found: 'Would also be filtered',
  places: 'Where',
  place: (place: string, count: number) => `${place} (${events(count)})`,
};
