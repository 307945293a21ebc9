import { createHash } from 'node:crypto';
import type { Encryption } from '../../../platform/encryption/encryption.ts';
import type { Subscription } from './encrypt-push.ts';

export function subscriptionPurpose(browserId: string): string {
  return `web_push_browsers.subscription:${browserId}`;
}

/** @throws ApiError `encryption_key_missing` */
export function sealSubscription(
  encryption: Encryption,
  { endpoint, keys }: Subscription,
  browserId: string,
): string {
  return encryption.encrypt(JSON.stringify({ endpoint, keys }), subscriptionPurpose(browserId));
}

/** @throws ApiError `encryption_key_missing`, `encryption_key_wrong` */
export function openSubscription(
  encryption: Encryption,
  browser: { id: string; subscription: string },
): Subscription {
  // `sealSubscription` encrypted it.
  return JSON.parse(
    encryption.decrypt(browser.subscription, subscriptionPurpose(browser.id)),
  ) as Subscription;
}

/** Returns the key by which a browser is found. An endpoint is long and random, so the hash does not reveal it. */
export function hashEndpoint(endpoint: string): Buffer {
  return createHash('sha256').update(endpoint).digest();
}
