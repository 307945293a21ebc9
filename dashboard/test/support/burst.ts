import type { ApiClient } from '../../../server/test/support/client.ts';
import { mustBe } from './seed.ts';

/** More errors within a minute than a young project has: an incident opens. */
const BURST = 40;

/** Sends a burst of errors of a series of its own. */
export async function sendBurst(ingest: ApiClient, source = 'shop', count = BURST): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    type: 'checkout',
    severity: 'ERROR',
    message: `Card was declined for order ${index}`,
    source,
    correlation: { order_id: `ord_${Math.floor(Math.sqrt(index))}` },
  }));
  await mustBe(202, ingest.post('/ingest/bulk', events));
}
