import { useState } from 'react';
import type { Incident, Status } from '../../../lib/api-types.ts';
import { queryClient } from '../../../lib/queries.ts';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { explainFailure } from '../change/explain-failure.ts';
import { holdChange, undoChange, useHeldChanges } from '../change/held-changes.ts';
import { rememberOwnChange } from '../change/own-changes.ts';
import { changeIncident } from '../queries.ts';
import { texts } from './texts.ts';

export type BulkStatus = Exclude<Status, 'open'>;

/** Statuses from which an incident can change to each status. */
const FROM: Record<BulkStatus, Status[]> = {
  investigating: ['open'],
  resolved: ['open', 'investigating'],
};

/** Last request: they are sent one after the other. */
let lastSent: Promise<unknown> = Promise.resolve();

export interface BulkChange {
  /** Changes the status of the incidents that allow it, after 5 seconds unless that is undone. */
  move: (incidents: readonly Incident[], to: BulkStatus) => void;
  /** Last change that can still be undone; null if there is none. */
  held: { to: BulkStatus; count: number } | null;
  undo: () => void;
}

/** Changes the status of several incidents at once. */
export function useBulkChange(): BulkChange {
  const [last, setLast] = useState<{ to: BulkStatus; ids: string[] } | null>(null);
  const heldChanges = useHeldChanges();
  const heldIds = last?.ids.filter((id) => heldChanges.has(id)) ?? [];
  return {
    move: (incidents, to) => {
      const moved = incidents.filter(({ id, status }) => FROM[to].includes(status) && !heldChanges.has(id));
      for (const incident of moved) holdChange(incident.id, to, (isLeaving) => send(incident, to, isLeaving));
      if (moved.length > 0) setLast({ to, ids: moved.map(({ id }) => id) });
    },
    held: last && heldIds.length > 0 ? { to: last.to, count: heldIds.length } : null,
    undo: () => {
      for (const id of heldIds) undoChange(id);
    },
  };
}

async function send({ id, title }: Incident, to: BulkStatus, isLeaving: boolean): Promise<void> {
  const change = () => {
    rememberOwnChange(id, to);
    return changeIncident(id, { status: to }, isLeaving);
  };
  const sent = isLeaving ? change() : lastSent.then(change);
  lastSent = sent.catch(() => undefined);
  try {
    await sent;
  } catch (error) {
    if (error instanceof Error) showToast(texts.selection.failed(title, explainFailure(error)));
  }
  await queryClient.invalidateQueries({ queryKey: ['incidents'] });
}
