import { formatCount } from '../../../lib/format.ts';

const events = (count: number) => `${formatCount(count)} ${count === 1 ? 'event' : 'events'}`;

/** Texts of the preview of choices about secrets. */
export const texts = {
  preview: 'Preview',
  title: 'Preview on past events',
  none: 'There are no events yet.',
  hint: (count: number) => `What these choices would have filtered in the newest ${events(count)}.`,
  keptUnknown:
    'Filtered values are gone, so the preview can’t show which of them fields to keep would have kept.',
  nothing: 'Nothing. They would have been stored the same way.',
  rule: 'Rule',
  filtered: 'Filtered so far',
  found: 'Would also be filtered',
  places: 'Where',
  place: (place: string, count: number) => `${place} (${events(count)})`,
};
