import { formatCount } from '../../lib/format.ts';

/** Texts of the releases page. */
export const texts = {
  title: 'Releases',
  record: 'Record deploy',
  list: 'Releases',
  columns: {
    version: 'Version',
    project: 'Project',
    deployed: 'Deployed',
    first: 'First event',
    last: 'Last event',
    events: 'Events',
    errors: 'Errors',
    newGroups: 'New groups',
  },
  none: 'none',
  noDeploy: 'first event',
  share: (share: string) => `(${share})`,
  empty: {
    title: 'No releases yet',
    text: 'Send `release` with your events, or record a deploy from your CI.',
  },
  ci: {
    title: 'From your CI',
    text: 'Run this when a deploy has finished, with one of the project’s API keys. Running it again doesn’t record a second deploy.',
    copy: 'Copy snippet',
  },
  dialog: {
    title: 'Record deploy',
    project: 'Project',
    release: 'Release',
    releaseHint: 'The same value as in your events.',
    environment: 'Environment',
    environmentHint: (own: string) => `Leave empty for the project’s own, ${own}.`,
    at: 'Deployed at',
    atHint: 'Leave empty for the current time. At most 30 days ago.',
    save: 'Record deploy',
    noRelease: 'Enter the release.',
    recorded: (release: string) => `Deploy of ${release} recorded`,
  },
  compare: {
    title: 'Compare two releases',
    release: 'Release',
    base: 'Compared with',
    chooseProject: 'Choose a project at the top to compare two of its releases.',
    same: 'Choose two different releases.',
    share: 'Share of errors',
    shareOf: (errors: number, events: number) =>
      `${formatCount(errors)} of ${formatCount(events)} ${events === 1 ? 'event' : 'events'}`,
    noEvents: 'no events',
    difference: (difference: string, low: string, high: string) =>
      `Difference ${difference} (95% interval ${low} to ${high})`,
    more: (release: string) => `${release} has a larger share of errors.`,
    fewer: (release: string) => `${release} has a smaller share of errors.`,
    noDifference: 'The difference may be due to chance.',
    caution: 'One burst of errors can skew this.',
    newGroups: (release: string) => `New in ${release}`,
    goneGroups: (release: string) => `Not seen in ${release}`,
    noNew: 'No new groups.',
    noGone: 'Every group of the earlier release was seen again.',
    more10: (count: number, atLeast: boolean) =>
      `and ${atLeast ? 'at least ' : ''}${formatCount(count)} more`,
    sample: 'Only the 500 groups with the newest events of each release are compared.',
    events: (count: number) => `${formatCount(count)} ${count === 1 ? 'event' : 'events'} in all`,
  },
};
