import type { ApiClient } from '../../../server/test/support/client.ts';
import { expectStatus } from './seed.ts';

const BURST = 40;

/** Sends a burst of critical events, which opens an incident by the default rule of every project. */
export async function sendBurst(ingest: ApiClient, source = 'shop', count = BURST): Promise<void> {
  const events = Array.from({ length: count }, (_, index) => ({
    type: 'checkout',
    severity: 'CRITICAL',
    message: `Card was declined for order ${index}`,
    source,
    correlation: { order_id: `ord_${Math.floor(Math.sqrt(index))}` },
  }));
  await expectStatus(202, ingest.post('/ingest/bulk', events));
}
