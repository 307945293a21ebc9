import { Client } from '../../src/client.ts';
import type { TocsinOptions } from '../../src/types.ts';
import { type FakeIngestion, type Responder, startIngestion } from './fake-ingestion.ts';
import { VirtualTime } from './virtual-time.ts';

export const API_KEY = 'tsn_live_0123456789abcdefghijklmnopqrstuv012345';

/** Starts a client in virtual time with its own ingestion. */
export async function startClient(
  respond?: Responder,
  { time = new VirtualTime(), ...options }: Partial<TocsinOptions> & { time?: VirtualTime } = {},
): Promise<{ client: Client; ingestion: FakeIngestion; time: VirtualTime }> {
  const ingestion = await startIngestion(respond);
  const client = new Client({ apiKey: API_KEY, baseUrl: ingestion.baseUrl, ...options }, time.runtime);
  return { client, ingestion, time };
}

export function event(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'deploy', severity: 'info', message: 'Version 7 is live', ...changes };
}
