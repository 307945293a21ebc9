import type { LedgerRecord } from '../../lib/api-types.ts';

/** Parts of a ledger, and what each counts. */
export const texts = {
  accepted: { label: 'Received', meaning: 'Every event ever sent and acknowledged' },
  stored: { label: 'Stored', meaning: 'In the event list' },
  queued: { label: 'Waiting', meaning: 'Durable, being processed' },
  onDisk: {
    label: 'On disk',
    meaning: 'Accepted while the database was down, not yet received by it',
  },
  duplicate: { label: 'Duplicates', meaning: 'Recognized repeats' },
  dead: { label: 'Failed', meaning: 'Rejected by the database and kept as dead letters' },
  dropped: { label: 'Dropped', meaning: 'Still waiting when their project was deleted' },
  sampled: { label: 'Sampled', meaning: 'Counted, not kept' },
  erased: { label: 'Erased', meaning: 'Deleted by an erasure' },
  expired: { label: 'Expired', meaning: 'Stored once, then removed by retention' },
  lost: {
    label: 'Lost in the app',
    meaning: 'Sentry’s client in your app reported that it could not send them',
  },
} satisfies Partial<Record<keyof LedgerRecord | 'lost', { label: string; meaning: string }>>;
