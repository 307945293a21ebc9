import { useSyncExternalStore } from 'react';
import type { Incident, Severity } from '../lib/api-types.ts';
import { queryClient, sessionQuery } from '../lib/queries.ts';

/** A notice of an incident, as it was when it came. */
export interface HistoryEntry {
  id: string;
  atMs: number;
  incidentId: Incident['id'];
  /** Kind of change: `New incident`, `Now critical`. */
  headline: string;
  severity: Severity;
  title: string;
  project: string | null;
}

export interface History {
  /** Newest first. */
  entries: readonly HistoryEntry[];
  /** Number of entries since the list was last open. */
  unread: number;
}

const MAX_ENTRIES = 20;

/** Returns the storage key of the history: one for each user and tab, kept across reloads. */
const keyOf = () => `tocsin news ${queryClient.getQueryData(sessionQuery.queryKey)?.user.id ?? ''}`;

let history: History | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

export function addNews(news: Omit<HistoryEntry, 'id' | 'atMs'>[], nowMs: number): void {
  const { entries, unread } = read();
  const added = news.map((entry) => ({ ...entry, id: `${nowMs}-${++lastId}`, atMs: nowMs })).toReversed();
  write({ entries: [...added, ...entries].slice(0, MAX_ENTRIES), unread: unread + added.length });
}

export function markRead(): void {
  if (read().unread > 0) write({ ...read(), unread: 0 });
}

export function useHistory(): History {
  return useSyncExternalStore(subscribe, read);
}

function read(): History {
  history ??= readStored();
  return history;
}

function readStored(): History {
  try {
    const stored = JSON.parse(sessionStorage.getItem(keyOf()) ?? 'null') as History | null;
    if (stored && Array.isArray(stored.entries)) return stored;
  } catch {
    // Nothing is stored where storage is refused.
  }
  return { entries: [], unread: 0 };
}

function write(next: History): void {
  history = next;
  try {
    sessionStorage.setItem(keyOf(), JSON.stringify(next));
  } catch {
    // Storage is refused or full: the history lives as long as the page.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
