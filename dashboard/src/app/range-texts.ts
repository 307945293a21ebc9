/** What the choice of a range of time says. */
export const rangeTexts = {
  presets: 'Ranges',
  own: 'Own range',
  today: 'Today',
  yesterday: 'Yesterday',
  from: 'From',
  to: 'To',
  hint: (isUtc: boolean) =>
    `${isUtc ? 'In UTC' : 'In your time zone'}, unless the time names one. 14:05, yesterday 14:05, and pasted ISO times work.`,
  apply: 'Apply',
  noTime: 'Enter a time, such as 2026-11-20 06:00:00.',
  endsEarly: 'Enter a time after the first one.',
  earlier: 'Earlier',
  later: 'Later',
  wider: 'Zoom out',
  utc: 'UTC',
  done: 'Done',
};
