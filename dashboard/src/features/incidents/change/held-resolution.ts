import { useSyncExternalStore } from 'react';

/** How long a resolution can be undone: once the service has it, nothing reopens an incident. */
const HOLD_MS = 5_000;

/** @param isLeaving the page goes away at once: the request has to outlive it */
type Send = (isLeaving: boolean) => Promise<void>;

const held = new Map<string, { timer: ReturnType<typeof setTimeout>; send: Send }>();
const listeners = new Set<() => void>();

/**
 * Resolves an incident in 5 seconds unless it is undone before. It goes on while other pages are shown; where the
 * whole page is closed or reloaded, it is sent at once.
 */
export function holdResolution(incidentId: string, send: Send): void {
  if (held.has(incidentId)) return;
  const timer = setTimeout(() => void release(incidentId, false), HOLD_MS);
  held.set(incidentId, { timer, send });
  emit();
}

export function undoResolution(incidentId: string): void {
  clearTimeout(held.get(incidentId)?.timer);
  held.delete(incidentId);
  emit();
}

/** Whether the incident is shown as resolved while that can still be undone. */
export function useIsHeld(incidentId: string): boolean {
  return useSyncExternalStore(subscribe, () => held.has(incidentId));
}

/** Sends a resolution that can still be undone at once, as before a logout: there is no session afterwards. */
export async function sendHeldResolutions(): Promise<void> {
  await Promise.all([...held.keys()].map((incidentId) => release(incidentId, true)));
}

async function release(incidentId: string, isLeaving: boolean): Promise<void> {
  const resolution = held.get(incidentId);
  undoResolution(incidentId);
  await resolution?.send(isLeaving);
}

function emit(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

addEventListener('pagehide', () => void sendHeldResolutions());
