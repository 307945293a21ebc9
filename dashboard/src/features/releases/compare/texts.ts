import { formatCount, formatEvents } from '../../../lib/format.ts';

/** Texts of the page that compares two releases. */
export const texts = {
  title: 'Compare releases',
  releases: 'Releases',
  release: 'Release',
  base: 'Compared with',
  environment: 'Environment',
  watched: 'All watched',
  newest: (count: number) => `Only the newest ${formatCount(count)} releases are listed.`,
  chooseProject: {
    title: 'Choose a project',
    text: 'Releases are compared within a project.',
  },
  none: {
    title: 'No releases yet',
    text: 'Send `release` with your events, or record a deploy from your CI.',
  },
  noBase: 'No older release to compare with.',
  same: 'Choose two different releases.',
  noEvents: (release: string, environment: string | null) =>
    `No stored events from ${release}${environment === null ? '' : ` in ${environment}`}.`,
  share: 'Errors',
  ofEvents: (share: string) => `${share} of events`,
  was: (value: string) => `was ${value}`,
  countOf: (count: number, all: number) => `${formatCount(count)} of ${formatEvents(all)}`,
  rate: (rate: string) => `${rate} per 1,000 events`,
  none0: (base: string) => `none in ${base}`,
  points: (points: string, isOne: boolean) => `${points} ${isOne ? 'point' : 'points'}`,
  factor: (factor: string) => `${factor}×`,
  interval: (low: string, high: string) => `${low} to ${high}`,
  byChance: 'May be due to chance.',
  caution: 'One burst of errors can skew this.',
  copy: 'Copy',
  copyMarkdown: 'Copy as Markdown',
  worse: {
    title: 'Got worse',
    none: 'No group has clearly got worse.',
    byChance: (count: number) => `${formatCount(count)} more, possibly by chance`,
  },
  begun: { title: (release: string) => `New in ${release}`, none: 'No new groups.' },
  gone: {
    title: (release: string) => `Not seen in ${release}`,
    none: 'No group disappeared.',
    count: (base: string, count: number) => `${formatEvents(count)} in ${base}`,
  },
  showMore: (count: number) => `Show ${formatCount(count)} more`,
  unlisted: (count: number) => `and ${formatCount(count)} more`,
  counted: (release: string, from: string | null, to: string | null) =>
    `Only ${release}’s events ${[from && `from ${from}`, to && `before ${to}`].filter(Boolean).join(' and ')} were counted.`,
  summary: {
    of: (release: string, base: string, environment: string | null) =>
      `${release} against ${base}${environment === null ? '' : ` in ${environment}`}`,
    errors: 'errors',
    before: (value: string) => `(${value})`,
    worst: 'worst:',
    isNew: (value: string) => `new, ${value}`,
    isBack: (value: string) => `back, ${value}`,
    noWorst: 'no error group got worse',
  },
};
