import type { SilenceRecord } from '../../lib/api-types.ts';

/** Texts about silences, on their page and on those of incidents and groups. */
export const texts = {
  page: {
    title: 'Silences',
    intro: 'Nothing is sent until the end. Incidents still open then are sent once.',
    list: 'Silences',
    state: 'State',
    states: { active: 'Active', ended: 'Ended', all: 'All' },
    add: 'New silence',
    none: {
      active: 'Nothing is silenced',
      ended: 'No silence has ended',
      all: 'No silences yet',
    },
    noneHint: 'Silence a project before a load test.',
    end: 'No more silences',
  },
  dialog: {
    title: 'Silence notifications',
    titleOfOne: (scope: string) => `Silence ${scope.charAt(0).toLowerCase()}${scope.slice(1)}`,
    intro: 'Incidents still open, but nothing is sent.',
    length: 'For',
    lengths: {
      '1h': '1 hour',
      '4h': '4 hours',
      tomorrow: 'Until tomorrow, 9:00',
      '1w': '1 week',
      custom: 'Until another time',
    },
    until: 'Until',
    untilHint: (days: number) => `At most ${days} days.`,
    untilMissing: 'Enter a time in the future.',
    untilTooLate: (days: number) => `A silence lasts at most ${days} days.`,
    what: 'Scope',
    scopes: {
      series: (series: string) => `Series ${series}`,
      group: (key: string) => `Group ${key}`,
      schedule: 'This job',
      source: (source: string) => `Everything from ${source}`,
      project: 'The whole project',
      organization: 'All projects',
    },
    projectNamed: (name: string) => `Project ${name}`,
    reason: 'Reason',
    reasonHint: 'Optional',
    unlearned: 'Don’t learn from this time',
    unlearnedHint: (days: number) => `For load tests, at most ${days} days.`,
    submit: 'Silence',
  },
  shown: {
    active: (by: string, until: string) => `Silenced by ${by} until ${until}`,
    ended: (by: string, from: string, to: string) => `By ${by}, ${from} – ${to}`,
    endedBy: (name: string) => `ended by ${name}`,
    about: (scope: string) => `for ${scope}`,
    everything: 'everything',
    project: (name: string) => `the project ${name}`,
    unknownProject: 'a project',
    type: (type: string) => `type ${type}`,
    source: (source: string) => `source ${source}`,
    severity: (severity: string) => `severity ${severity}`,
    group: 'one group',
    schedule: 'one scheduled job',
    correlation: (pair: string) => pair,
    matched: ({ matched, state }: Pick<SilenceRecord, 'matched' | 'state'>) =>
      matched === 0
        ? state === 'ended'
          ? 'hasn’t matched anything'
          : 'hasn’t matched anything yet'
        : `matched ${matched.toLocaleString('en')} ${matched === 1 ? 'incident or group' : 'incidents and groups'}`,
    unlearned: 'not used for learning',
    end: 'End now',
    endNamed: (scope: string) => `End the silence for ${scope}`,
  },
};
