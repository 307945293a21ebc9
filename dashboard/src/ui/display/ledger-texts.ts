import type { LedgerRecord } from '../../lib/api-types.ts';

/** Parts of a ledger, and what each counts. */
export const texts = {
  accepted: { label: 'Received', meaning: 'Every event sent and acknowledged' },
  stored: { label: 'Stored', meaning: 'In the event list' },
  queued: { label: 'Waiting', meaning: 'Saved, about to be processed' },
  onDisk: {
    label: 'On disk',
    meaning: 'Accepted while the database was down, not stored yet',
  },
  duplicate: { label: 'Duplicates', meaning: 'Recognized repeats' },
  dead: { label: 'Failed', meaning: 'Rejected by the database, kept as dead letters' },
  dropped: { label: 'Dropped', meaning: 'Still waiting when their project was deleted' },
  sampled: { label: 'Sampled', meaning: 'Counted, not kept' },
  erased: { label: 'Erased', meaning: 'Deleted by an erasure' },
  expired: { label: 'Expired', meaning: 'Stored once, then removed by retention' },
  lost: {
    label: 'Lost in the app',
    meaning: 'Your app’s Sentry client couldn’t send them',
  },
} satisfies Partial<Record<keyof LedgerRecord | 'lost', { label: string; meaning: string }>>;
