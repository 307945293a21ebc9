/** Texts of the choice of a time range. */
export const rangeTexts = {
  presets: 'Ranges',
  own: 'Custom range',
  today: 'Today',
  yesterday: 'Yesterday',
  from: 'From',
  to: 'To',
  hint: (isUtc: boolean) =>
    `${isUtc ? 'In UTC' : 'In your time zone'} unless you include a zone. Try 14:05, yesterday 14:05 or an ISO time.`,
  apply: 'Apply',
  noTime: 'Enter a time, such as 2026-11-20 06:00:00.',
  endsEarly: 'Enter a time after the start.',
  earlier: 'Earlier',
  later: 'Later',
  wider: 'Zoom out',
  utc: 'UTC',
  done: 'Done',
  kept: (project: string, severity: string, days: number) =>
    `${project} keeps ${severity} events for ${days} ${days === 1 ? 'day' : 'days'}.`,
  keptMore: (count: number) => `${count} more have a shorter retention than this range.`,
  keptCounts: 'Charts still include older ones.',
};
