import type { DeadLetterRecord } from '../../../lib/api-types.ts';
import { formatCount } from '../../../lib/format.ts';

const lettersOf = (count: number) => `${formatCount(count)} dead ${count === 1 ? 'letter' : 'letters'}`;

/** Texts about events that could not be stored. */
export const texts = {
  title: 'Dead letters',
  hint: 'Events that we accepted, but the database refused. Store them again once the cause is fixed.',
  none: 'None. If the database refuses an event, you’ll find it here.',
  newest: (count: number) => `The newest ${formatCount(count)} are shown.`,
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
    `${lettersOf(count)} queued. ${count === 1 ? 'It comes' : 'They come'} back here on another failure.`,
  discard: 'Discard',
  all: 'all dead letters',
  discardAll: 'Discard all',
  discardAllTitle: 'Discard all dead letters?',
  discardTitle: 'Discard this dead letter?',
  consequence: 'This deletes what was sent. You can’t undo this.',
  discarded: (count: number) => `${lettersOf(count)} discarded`,
  event: 'Event as received',
  unreadable: 'This text isn’t an event of this project, so it isn’t shown and can’t be stored.',
  cut: 'This is only the beginning. Use `tocsin dead-letters show` to see all of it.',
  close: 'Close',
};
