import { EVENT } from './event.ts';

export const EVENTS_A_REQUEST = 500;
export const SENDERS = 4;

const BODY = Array.from({ length: EVENTS_A_REQUEST }, () => EVENT).join('\n');

/**
 * Sends NDJSON of 500 events a request, by four senders that each wait for their answer.
 * @throws where an answer is no 202
 */
export async function sendBulk(ingestionUrl: string, apiKey: string, events: number): Promise<void> {
  let left = events / EVENTS_A_REQUEST;
  const sender = async () => {
    while (left-- > 0) {
      const answer = await fetch(`${ingestionUrl}/ingest/bulk`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', 'x-api-key': apiKey },
        body: BODY,
      });
      await answer.arrayBuffer();
      if (answer.status !== 202) throw new Error(`A batch was answered with ${answer.status}.`);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
}
