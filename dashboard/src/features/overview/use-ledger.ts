import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { LedgerRecord } from '../../lib/api-types.ts';
import { useScope } from '../../lib/scope.ts';
import { ledgerQuery } from './queries.ts';

export interface WatchedLedger {
  ledger: LedgerRecord | undefined;
  /**
   * True if events have waited since the previous reading, 4 s ago: a queue seen only once, during a burst, is about to be
   * empty.
   */
  isStuck: boolean;
}

/** Reads the ledger of the chosen project, or of all. */
export function useLedger(): WatchedLedger {
  const [{ project }] = useScope();
  const { data: ledger, dataUpdatedAt } = useQuery(ledgerQuery(project));
  const [readings, setReadings] = useState({ atMs: 0, queued: 0, isStuck: false });
  useEffect(() => {
    if (!ledger) return;
    const { queued } = ledger;
    setReadings((before) =>
      before.atMs === dataUpdatedAt
        ? before
        : { atMs: dataUpdatedAt, queued, isStuck: queued > 0 && before.queued > 0 },
    );
  }, [ledger, dataUpdatedAt]);
  return { ledger, isStuck: readings.isStuck };
}
