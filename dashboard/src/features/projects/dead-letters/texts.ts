import type { DeadLetterRecord } from '../../../lib/api-types.ts';
import { formatCount } from '../../../lib/format.ts';

const lettersOf = (count: number) => `${formatCount(count)} dead ${count === 1 ? 'letter' : 'letters'}`;

/** Texts about events that could not be stored. */
export const texts = {
  title: 'Dead letters',
  hint: 'Events the database refused. Store them again once you’ve fixed the cause.',
  none: 'No dead letters.',
  newest: (count: number) => `Showing the newest ${formatCount(count)}.`,
  failed: 'Failed',
  message: 'Message',
  reason: 'Reason',
  actions: 'Actions',
  kinds: {
    event: 'event',
    deploy: 'deploy',
    alerts: 'alert notification',
    unreadable: 'unreadable',
  } satisfies Record<DeadLetterRecord['kind'], string>,
  repeats: (events: number) => `sent ${formatCount(events)} times`,
  show: 'Show',
  showNamed: (title: string) => `Show ${title}`,
  replay: 'Store again',
  replayAll: 'Store all again',
  replayed: (count: number) =>
    `${lettersOf(count)} queued. ${count === 1 ? 'It returns' : 'They return'} here if storing fails again.`,
  discard: 'Discard',
  all: 'all dead letters',
  discardAll: 'Discard all',
  discardAllTitle: 'Discard all dead letters?',
  discardTitle: 'Discard this dead letter?',
  consequence: 'This permanently deletes the data.',
  discarded: (count: number) => `${lettersOf(count)} discarded`,
  event: 'Event as received',
  unreadable: 'This isn’t an event from this project, so it can’t be shown or stored.',
  cut: 'Truncated. Run `tocsin dead-letters show` to see all of it.',
  close: 'Close',
};
