import { useSyncExternalStore } from 'react';
import type { Status } from '../../../lib/api-types.ts';

/** Time in which a change can be undone before it is sent: the service does not undo a change of the status. */
const HOLD_MS = 5_000;

/** @param isLeaving true if the request has to outlive the page */
type Send = (isLeaving: boolean) => Promise<void>;

interface HeldChange {
  to: Status;
  timer: ReturnType<typeof setTimeout>;
  send: Send;
}

let held: ReadonlyMap<string, HeldChange> = new Map();
const listeners = new Set<() => void>();

function set(next: ReadonlyMap<string, HeldChange>): void {
  held = next;
  for (const listener of listeners) listener();
}

/**
 * Changes the status of an incident after 5 seconds unless that is undone. The time runs on while other pages are shown; if the
 * whole page is closed or reloaded, it is sent at once.
 */
export function holdChange(incidentId: string, to: Status, send: Send): void {
  if (held.has(incidentId)) return;
  const timer = setTimeout(() => void release(incidentId, false), HOLD_MS);
  set(new Map(held).set(incidentId, { to, timer, send }));
}

export function undoChange(incidentId: string): void {
  clearTimeout(held.get(incidentId)?.timer);
  set(new Map([...held].filter(([id]) => id !== incidentId)));
}

/** Returns the changes that can still be undone, by the id of their incident. */
export function useHeldChanges(): ReadonlyMap<string, { to: Status }> {
  return useSyncExternalStore(subscribe, () => held);
}

/** Sends the changes that can still be undone at once, as before a logout: there is no session afterwards. */
export async function sendHeldChanges(): Promise<void> {
  await Promise.all([...held.keys()].map((incidentId) => release(incidentId, true)));
}

async function release(incidentId: string, isLeaving: boolean): Promise<void> {
  const change = held.get(incidentId);
  undoChange(incidentId);
  await change?.send(isLeaving);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

addEventListener('pagehide', () => void sendHeldChanges());
