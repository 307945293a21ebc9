import type { Static } from 'typebox';
import type { Log } from '../../platform/log.ts';
import type { Ledger } from './schema.ts';

/**
 * Checks that every accepted event is somewhere. A difference is a bug of the service: it is logged and not thrown,
 * since neither an answer nor the queue may wait for it.
 * @param about subject of the ledger
 */
export function checkLedger(
  log: Log,
  ledger: Omit<Static<typeof Ledger>, 'unstored' | 'onDisk'>,
  about: Record<string, unknown>,
): void {
  const { accepted, stored, queued, duplicate, dead, dropped, sampled, erased, expired } = ledger;
  if (accepted === stored + queued + duplicate + dead + dropped + sampled + erased + expired) return;
  log.error({ ...about, ...ledger }, 'a ledger does not add up');
}
