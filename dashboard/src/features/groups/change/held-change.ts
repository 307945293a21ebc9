import { useSyncExternalStore } from 'react';
import type { Group, GroupPatch } from '../../../lib/api-types.ts';
import { beforeLogOut } from '../../../lib/before-log-out.ts';
import { queryClient } from '../../../lib/queries.ts';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { changeGroups } from '../queries.ts';
import { texts } from '../texts.ts';
import { mergeGroup } from '../use-group-news.ts';

/** Time in which a change can be undone before it is sent: an undone change is in no history. */
const HOLD_MS = 5_000;

export interface HeldChange {
  groups: readonly Group[];
  patch: GroupPatch;
}

let held: (HeldChange & { timer: ReturnType<typeof setTimeout> }) | null = null;
const listeners = new Set<() => void>();

function set(next: typeof held): void {
  held = next;
  for (const listener of listeners) listener();
}

/**
 * Changes groups after 5 seconds unless that is undone. The time runs on while other pages are shown; the next change sends it
 * at once, and so does closing or reloading the page.
 */
export function holdChange(groups: readonly Group[], patch: GroupPatch): void {
  void sendHeldGroupChange();
  const timer = setTimeout(() => void sendHeldGroupChange(), HOLD_MS);
  set({ groups, patch, timer });
}

export function undoChange(): void {
  clearTimeout(held?.timer);
  set(null);
}

/** Returns the change that can still be undone. */
export function useHeldChange(): HeldChange | null {
  return useSyncExternalStore(subscribe, () => held);
}

/** Returns the group as it will be after the change; the service adds the release of a resolution. */
export function withHeldChange(group: Group, change: HeldChange | null): Group {
  if (!change?.groups.some(({ id }) => id === group.id)) return group;
  const { state, assigneeId } = change.patch;
  return {
    ...group,
    ...(state !== undefined && { state }),
    ...(state === 'muted' && {
      muteUntil: change.patch.muteUntil ?? null,
      muteForCount: change.patch.muteForCount ?? null,
      mutePeriodSeconds: change.patch.mutePeriodSeconds ?? null,
    }),
    ...(state === 'resolved' && { resolution: 'now' as const, resolvedIn: null }),
    ...(assigneeId !== undefined && { assigneeId }),
  };
}

/** Sends the change that can still be undone. @param isLeaving true if the request has to outlive the page */
async function sendHeldGroupChange(isLeaving = false): Promise<void> {
  if (!held) return;
  const { groups, patch } = held;
  undoChange();
  const ids = groups.map(({ id }) => id);
  try {
    for (const group of await changeGroups(ids, patch, isLeaving)) mergeGroup(group);
  } catch (error) {
    if (groups.length > 1) await changeEach(groups, patch);
    else if (groups[0]) report([{ group: groups[0], error }]);
  }
  await queryClient.invalidateQueries({ queryKey: ['groups'] });
}

/** Changes groups one by one: one group that cannot be changed fails a whole request. Names those that fail. */
async function changeEach(groups: readonly Group[], patch: GroupPatch): Promise<void> {
  const failed: { group: Group; error: unknown }[] = [];
  for (const group of groups) {
    try {
      for (const changed of await changeGroups([group.id], patch)) mergeGroup(changed);
    } catch (error) {
      failed.push({ group, error });
    }
  }
  if (failed.length > 0) report(failed);
}

function report(failed: readonly { group: Group; error: unknown }[]): void {
  const [first] = failed;
  const reason = first?.error instanceof Error ? first.error.message : '';
  showToast(texts.change.failed(failed.map(({ group }) => group.key).join(', '), reason));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

addEventListener('pagehide', () => void sendHeldGroupChange(true));
beforeLogOut(() => sendHeldGroupChange());
