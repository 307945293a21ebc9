import type { Severity } from '../lib/api-types.ts';
import { formatCount, formatEvents } from '../lib/format.ts';

/** Texts of the parts that all pages share. One file in the initial chunk: separate files compress worse. */
export const texts = {
  headings: { groups: 'Groups', releases: 'Releases' },
  backToProject: 'Back to project',
  close: 'Close',
  silence: 'Silence…',
  dismiss: 'Dismiss',
  madeByToken: (name: string) => `Made by token “${name}”`,
  showMore: (count: number, rest: number) => `Show ${formatCount(count)} more of ${formatCount(rest)}`,
  head: { more: 'Show all', less: 'Show less' },
  moreActions: 'More actions',
  tryAgain: 'Try again',
  failed: 'Something went wrong',
  notLoaded:
    'Couldn’t load this. The server can’t be reached or has been updated. Trying again reloads the page and keeps your unsent notes.',
  tryingAgain: 'Trying again automatically.',
  loading: 'Loading',
  loadMore: 'Load more',
  couldNotLoad: '— couldn’t load',
  copy: { button: 'Copy', done: '✓ copied', refused: '— blocked by your browser' },
  share: {
    copyLink: 'Copy link',
    copyMarkdown: 'Copy as Markdown',
    copied: 'Link copied',
    copiedMarkdown: 'Copied as Markdown',
    refused: 'Your browser blocked access to the clipboard.',
  },
  confirm: { typeName: (name: string) => `Type “${name}” to confirm`, cancel: 'Cancel' },
  unknownProject: {
    title: 'Project not found',
    none: 'No project here',
    why: 'It may have been deleted, or it belongs to another organization.',
    all: 'All projects',
  },
  charts: {
    zoomOut: 'Zoom out',
    asTable: 'Table',
    tableOf: (chart: string) => `${chart}, table`,
    time: 'Time',
    empty: 'No events in this range.',
    zoom: { from: 'Zoom from', to: 'Zoom to', button: 'Zoom' },
    marks: {
      list: 'Releases in this chart',
      releases: (count: number) => `${count} releases`,
      moments: (count: number) => `${count} changes`,
      deployedTo: (environment: string) => `deployed to ${environment}`,
      deployed: 'deployed',
      firstEvent: 'first event',
    },
    severities: {
      all: 'all',
      summary: (chart: string, total: string, counts: Record<Severity, number>, bars: readonly Severity[]) =>
        `${chart}: ${total}, including ${formatCount(counts.error)} error and ${formatCount(counts.critical)} critical; the bars are ${bars.join(', ')}`,
      total: formatEvents,
      perBar: (period: string) => `${period} per bar`,
      withoutInfo: 'bars without info',
      /** Count of a search that ended before the start of the range. */
      totalSince: (count: number, time: string) => `${formatCount(count)}+ events (searched back to ${time})`,
      lookFurther: 'Keep searching',
    },
    observed: {
      summary: (chart: string, most: number, period: string) =>
        `${chart}: at most ${formatCount(most)} in ${period}`,
      actual: 'actual',
      events: 'events',
      expected: 'expected',
      unknown: 'unknown',
      band: 'By chance alone, 95 of 100 counts fall between the thin lines (Poisson)',
      soFar: (slot: string) => `${slot}, so far`,
      /** @param period `1 min`, `6 h` */
      per: (period: string) =>
        `per ${period.replace(/^1 /, '').replace(/^min$/, 'minute').replace(/^h$/, 'hour').replace(/^d$/, 'day')}`,
    },
  },
  event: {
    noMessage: '(no message)',
    anonymous: '(anonymous)',
    causedBy: (type: string | null, message: string | null) =>
      `Caused by ${[type, message].filter((part) => part !== null).join(': ')}`,
    emptyTree: 'Empty',
    showMore: (step: number, left: number) => `show ${formatCount(step)} more of ${formatCount(left)}`,
    showAll: (characters: number) => `show all ${formatCount(characters)} characters`,
    size: (count: number, isList: boolean) =>
      `${formatCount(count)} ${isList ? 'item' : 'field'}${count === 1 ? '' : 's'}`,
    libraryFrames: (count: number, areShown: boolean) =>
      `${areShown ? 'Hide' : 'Show'} ${count} library ${count === 1 ? 'frame' : 'frames'}`,
  },
  incident: {
    none: 'none',
    atFirst: (rate: string) => `${rate} at first`,
    usually: (rate: string) => `usually ${rate}`,
    ofPayments: (share: string) => `${share} of payments`,
    release: {
      new: (version: string) => `new in ${version}`,
      all: (version: string) => `all from ${version} in this incident`,
      more: (version: string) => `more often in ${version}`,
      timing: (version: string) => `${version} deployed shortly before`,
    },
    returned: (version: string, before: string[]) =>
      `returned in ${version}, also in ${new Intl.ListFormat('en-GB').format(before)}`,
  },
  display: {
    investigating: (name: string) => `${name} is investigating`,
    time: {
      column: 'Time',
      showAbsolute: 'Show the time',
      showRelative: 'Show how long ago',
    },
    severities: {
      showAll: 'Show all',
      showOnly: (severity: Severity) => `Show only ${severity}`,
      undrawn: '(not in the bars)',
    },
  },
};
