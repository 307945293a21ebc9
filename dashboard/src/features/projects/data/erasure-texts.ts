import type { ErasureRecord } from '../../../lib/api-types.ts';
import { formatCount, formatExactTime } from '../../../lib/format.ts';

type Place = ErasureRecord['unreached'][number];

const PLACES: Record<Place['what'], string> = {
  backups: 'Earlier backups',
  messages: 'Sent messages',
  exports: 'Downloaded files',
  audit_log: 'The audit log',
  other_texts: 'Events that mention the value outside their correlation',
  names: 'Types, sources, releases, environments, deploys, alerts and schedules with this name',
  cut_texts: 'Titles cut off within the value',
  short_value: 'Titles and notes, because the value is too short to search for',
  idempotency_keys: 'Idempotency keys',
  transient: 'Recent requests, alert queues and live updates',
  disks: 'The disk of an ingestion process that isn’t responding. Erase again once it’s back',
};

const counted = (count: number, one: string) => `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`;

/** Texts of the section about erasures. */
export const texts = {
  title: 'Erasure',
  hint: 'Deletes all events with a correlation value, such as a user id, and removes the value from titles, notes and incidents. You can’t undo this.',
  ownersOnly: 'Only owners can erase data.',
  key: 'Key',
  keyHint: 'Such as user_id. Leave empty for any key.',
  value: 'Value',
  valueMissing: 'Enter the value to erase.',
  everywhere: 'In all projects',
  preview: 'Preview',
  erase: 'Erase',
  confirmTitle: 'Erase this value?',
  found: ({ events, isExact, deadLetters }: { events: number; isExact: boolean; deadLetters: number }) =>
    `This deletes ${isExact ? '' : 'more than '}${counted(events, 'event')} with this correlation value, and ${counted(deadLetters, 'dead letter')}.`,
  consequence: 'Chart counts stay. Events that arrive later aren’t erased.',
  subject: ({ key, value, valueHash, projectId }: ErasureRecord) =>
    `${key ?? 'Any key'} = ${value ?? `SHA-256 ${valueHash.slice(0, 12)}…`}${projectId === null ? ', in all projects' : ''}`,
  states: {
    waiting: 'Waiting for queued events',
    erasing: 'Erasing',
    done: 'Done',
  } satisfies Record<ErasureRecord['state'], string>,
  progress: ({ events, deadLetters, texts: replaced }: ErasureRecord) =>
    `${counted(events, 'event')} and ${counted(deadLetters, 'dead letter')} deleted, ${counted(replaced, 'text')} changed`,
  requested: ({ createdAt, createdBy }: ErasureRecord) =>
    `Requested on ${formatExactTime(createdAt)} by ${createdBy.name}`,
  unreached: 'May still contain the value',
  place: ({ what, until }: Place) =>
    until === null ? PLACES[what] : `${PLACES[what]}, until ${formatExactTime(until)}`,
};
