import { formatEvents } from '../../../lib/format.ts';

/** Texts of the preview of choices about secrets. */
export const texts = {
  preview: 'Preview',
  title: 'Preview on past events',
  none: 'No events yet.',
  hint: (count: number) => `Tested on the newest ${formatEvents(count)}.`,
  keptUnknown: 'Already filtered values are gone, so the preview can’t show the effect of fields to keep.',
  nothing: 'No changes.',
  rule: 'Rule',
  filtered: 'Filtered so far',
  found: 'Would also be filtered',
  places: 'Where',
  place: (place: string, count: number) => `${place} (${formatEvents(count)})`,
};
