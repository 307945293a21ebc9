import type { ErasureRecord } from '../../../lib/api-types.ts';
import { formatCount, formatExactTime } from '../../../lib/format.ts';

type Place = ErasureRecord['unreached'][number];

const PLACES: Record<Place['what'], string> = {
  backups: 'Backups made before',
  messages: 'Messages that were sent',
  exports: 'Files that were downloaded',
  audit_log: 'The audit log',
  other_texts: 'Texts of events that do not have the value in their correlation',
  names: 'Types, sources, releases, environments, deploys, alerts and schedules with this name',
  cut_texts: 'Titles that were cut within the value',
  short_value: 'Titles and notes, since the value is too short to be found in texts',
  idempotency_keys: 'Idempotency keys',
  transient: 'Recent requests, queues of alerts and live updates',
  disks: 'The disk of an ingestion process that does not answer. Erase again when it is back',
};

const counted = (count: number, one: string) => `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`;

/** Texts of the section about erasures. */
export const texts = {
  title: 'Erasure',
  hint: 'Deletes all events of a user, or of another correlation value, and replaces the value in titles, notes and incidents. You can’t undo this.',
  ownersOnly: 'Only an OWNER can erase data.',
  key: 'Key',
  keyHint: 'For example user_id. Leave it empty for any key.',
  value: 'Value',
  valueMissing: 'Enter the value to erase.',
  everywhere: 'In all projects',
  preview: 'Preview',
  erase: 'Erase',
  confirmTitle: 'Erase this value?',
  found: ({ events, isExact, deadLetters }: { events: number; isExact: boolean; deadLetters: number }) =>
    `This deletes ${isExact ? '' : 'more than '}${counted(events, 'event')} with this correlation value, and ${counted(deadLetters, 'dead letter')}.`,
  consequence: 'Counts in charts stay. Events that arrive later are not erased.',
  subject: ({ key, value, valueHash, projectId }: ErasureRecord) =>
    `${key ?? 'Any key'} = ${value ?? `SHA-256 ${valueHash.slice(0, 12)}…`}${projectId === null ? ', in all projects' : ''}`,
  states: {
    waiting: 'Waiting for events that are not stored yet',
    erasing: 'Erasing',
    done: 'Done',
  } satisfies Record<ErasureRecord['state'], string>,
  progress: ({ events, deadLetters, texts: replaced }: ErasureRecord) =>
    `${counted(events, 'event')} and ${counted(deadLetters, 'dead letter')} deleted, ${counted(replaced, 'text')} changed`,
  requested: ({ createdAt, createdBy }: ErasureRecord) =>
    `Requested on ${formatExactTime(createdAt)} by ${createdBy.name}`,
  unreached: 'May still hold the value',
  place: ({ what, until }: Place) =>
    until === null ? PLACES[what] : `${PLACES[what]}, until ${formatExactTime(until)}`,
};
