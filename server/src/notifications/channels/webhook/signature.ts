import { createHmac, randomBytes } from 'node:crypto';

/**
 * Prefix of secrets by Standard Webhooks (https://www.standardwebhooks.com, 1.0): 24 to 64 bytes in base64
 * follow.
 */
const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export function generateWebhookSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Returns the headers of Standard Webhooks for a body that is sent now. @param secret as
 * `generateWebhookSecret` makes it
 */
export function signWebhook(
  { id, nowMs, body }: { id: string; nowMs: number; body: string },
  secret: string,
): Record<string, string> {
  const timestamp = Math.floor(nowMs / 1_000);
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  };
}
