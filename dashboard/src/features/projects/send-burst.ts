import { ApiError, NetworkError } from '../../lib/api.ts';
import { dsnOf, type SnippetFacts, tunnelOf } from './snippets.ts';
import { texts } from './start-texts.ts';

/** Number of sample errors: enough for an incident of a new project. */
export const BURST_LENGTH = 20;

/**
 * Sends sample errors to ingestion in one envelope, as the pages of an application do: the one endpoint that pages of another
 * origin may use, without a preflight.
 * @throws ApiError if they are refused, NetworkError if ingestion cannot be reached from this browser
 */
export async function sendBurst(facts: SnippetFacts): Promise<void> {
  let response: Response;
  try {
    response = await fetch(tunnelOf(facts), { method: 'POST', credentials: 'omit', body: burstOf(facts) });
  } catch (error) {
    throw new NetworkError(texts.setOffAlarm.unreachable(facts.ingestUrl), { cause: error });
  }
  if (response.ok) return;
  throw new ApiError(response.status, await response.json().catch(() => ({})));
}

function burstOf(facts: SnippetFacts): string {
  const event = {
    level: 'error',
    platform: 'javascript',
    tags: { service: facts.source },
    exception: { values: [{ type: 'CheckoutError', value: 'The card was refused' }] },
  };
  const item = `{"type":"event"}\n${JSON.stringify(event)}\n`;
  return `${JSON.stringify({ dsn: dsnOf(facts) })}\n${item.repeat(BURST_LENGTH)}`;
}
