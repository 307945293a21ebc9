import { ApiError, request } from '../../lib/api.ts';
import type { NotifiedBrowser } from '../../lib/api-types.ts';

/*
 * Notifications in this browser: its permission, its worker and its subscription at a push service. A subscription belongs to
 * the browser, and so to whichever user is logged in: `resumeThisBrowser` ends the subscription of another user.
 */
const WORKER = '/app/push-worker.js';
const SCOPE = '/app/';

/** Reason why notifications cannot be turned on here. */
export type Obstacle = 'insecure' | 'home screen' | 'unsupported' | 'denied';

export function findObstacle(): Obstacle | null {
  if (!window.isSecureContext) return 'insecure';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return /\b(?:iPhone|iPad)\b/.test(navigator.userAgent) ? 'home screen' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'denied' : null;
}

/** Result of turning notifications on. */
export type SwitchedOn =
  | { kind: 'on'; browser: NotifiedBrowser }
  /** The user has closed the browser's prompt without an answer. */
  | { kind: 'undecided' }
  | { kind: 'denied' }
  /** The browser could not reach its push service, or has none. */
  | { kind: 'no push service' };

/**
 * Runs one task at a time in all tabs of the browser: a subscription that is just being sent to the service would look like
 * one that was removed.
 */
const exclusively = <T>(task: () => Promise<T>) => navigator.locks.request('tocsin push', task);

/** Asks for permission (browsers require a click before), then subscribes. @throws the error of the service */
export async function switchOn(): Promise<SwitchedOn> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return { kind: permission === 'denied' ? 'denied' : 'undecided' };
  return exclusively(subscribe);
}

async function subscribe(): Promise<SwitchedOn> {
  await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  const registration = await navigator.serviceWorker.ready;
  const { publicKey } = await readKey();
  const before = await registration.pushManager.getSubscription();
  // A browser has only one subscription: that of another key has to end first.
  if (before && keyOf(before) !== publicKey) await before.unsubscribe();
  let subscription: PushSubscription;
  try {
    subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: publicKey,
    });
  } catch {
    return { kind: 'no push service' };
  }
  const { endpoint, keys } = subscription.toJSON();
  const browser = await request<NotifiedBrowser>('POST', '/web-push/browsers', { body: { endpoint, keys } });
  return { kind: 'on', browser };
}

/** Ends the subscription here; the caller deletes its row at the service. */
export async function unsubscribeHere(): Promise<void> {
  if (!findObstacle()) await (await findSubscription())?.unsubscribe();
}

/**
 * Resumes notifications after a login. Ends a subscription that is not this user's: another user made it, or it was removed.
 * @returns this browser as stored by the service; null if notifications are off
 */
export async function resumeThisBrowser(): Promise<NotifiedBrowser | null> {
  return findObstacle() ? null : exclusively(resume);
}

async function resume(): Promise<NotifiedBrowser | null> {
  const subscription = await findSubscription();
  if (!subscription) return null;
  try {
    const { endpoint } = subscription;
    const browser = await request<NotifiedBrowser>('POST', '/web-push/browsers/resume', {
      body: { endpoint },
    });
    const { publicKey } = await readKey();
    if (browser.publicKey === publicKey) return browser;
    const switched = await subscribe();
    return switched.kind === 'on' ? switched.browser : null;
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    await subscription.unsubscribe();
    return null;
  }
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

function readKey(): Promise<{ publicKey: string }> {
  return request('GET', '/web-push/key');
}

/** Returns the key of a subscription in base64url, as the service writes it. */
function keyOf({ options: { applicationServerKey } }: PushSubscription): string {
  const bytes = new Uint8Array(applicationServerKey ?? new ArrayBuffer(0));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
