import type { SendRequest } from '../../outgoing/send-request.ts';
import { interpretResult, type Outcome } from '../base/outcome.ts';
import type { PushMessage, PushOutcome } from '../base/push.ts';
import { encryptPush, type Subscription } from './encrypt-push.ts';
import { authorizePush, type VapidKeys } from './vapid.ts';

/** How long a push service keeps a message for a browser that is offline: an older one would be read as news. */
const TTL_SECONDS = 24 * 3_600;
const GONE = new Set([404, 410]);

export interface PushSender {
  sendRequest: SendRequest;
  version: string;
  /** Contact of this service's operator for the operators of push services. */
  subject: string;
}

interface Push {
  message: PushMessage;
  vapidKeys: VapidKeys;
  nowMs: number;
  /** UUID. */
  organizationId: string;
}

/** Sends a message to one browser, once. */
export async function pushOnce(
  { sendRequest, version, subject }: PushSender,
  { endpoint, keys }: Subscription,
  { message, vapidKeys, nowMs, organizationId }: Push,
): Promise<PushOutcome> {
  const request = {
    method: 'POST',
    url: endpoint,
    headers: {
      authorization: authorizePush(vapidKeys, { endpoint, subject, nowMs }),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(TTL_SECONDS),
      urgency: message.urgency,
      topic: message.topic,
      'user-agent': `Tocsin/${version}`,
    },
    body: encryptPush(message.payload, keys),
  } as const;
  const result = await sendRequest(request, organizationId);
  const status = result.kind === 'answer' ? result.status : null;
  const outcome: Outcome = interpretResult(result, () => ({ kind: 'delivered', remote: null }), nowMs);
  if (outcome.kind === 'delivered') return { kind: 'accepted', status: status ?? 0 };
  const { reason } = outcome;
  if (outcome.kind === 'retry') return { kind: 'retry', status, reason, retryAfterMs: outcome.retryAfterMs };
  if (status !== null && GONE.has(status)) return { kind: 'gone', status, reason };
  return { kind: 'refused', status, reason };
}
