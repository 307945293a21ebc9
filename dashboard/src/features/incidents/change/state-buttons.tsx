import type { ReactNode } from 'react';
import { useEffect, useRef } from 'react';
import type { Incident, Status } from '../../../lib/api-types.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Key } from '../../../ui/controls/key.tsx';
import { Alert } from '../../../ui/feedback/states.tsx';
import { showToast } from '../../../ui/feedback/toasts.tsx';
import { changeIncident } from '../queries.ts';
import { texts } from '../texts.ts';
import { explainFailure } from './explain-failure.ts';
import { holdChange, undoChange, useHeldChanges } from './held-changes.ts';
import { useIncidentChange } from './use-incident-change.ts';

const STEPS: { to: Exclude<Status, 'open'>; from: Status[]; label: string; key: string }[] = [
  { to: 'investigating', from: ['open'], label: texts.change.investigate, key: 'i' },
  { to: 'resolved', from: ['open', 'investigating'], label: texts.change.resolve, key: 'r' },
];

/** The buttons for the next statuses of the incident. A resolution is sent after some seconds in which it can be undone. */
export function StateButtons({ incident, children }: { incident: Incident; children: ReactNode }) {
  const { id, title } = incident;
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  const change = useIncidentChange(id, (error) => {
    if (!isShown.current) showToast(texts.change.failed(title, explainFailure(error)));
  });
  const heldTo = useHeldChanges().get(id)?.to;
  const isHeld = heldTo !== undefined && incident.status !== 'resolved';
  const row = useRef<HTMLDivElement>(null);
  const steps = isHeld ? [] : STEPS.filter(({ from }) => from.includes(incident.status));
  const move = (status: Status) => {
    if (change.isPending) return;
    // The focused button may disappear: the focus moves to its neighbour.
    if (row.current?.contains(document.activeElement)) row.current.focus();
    if (status === 'investigating') change.mutate({ status });
    else holdChange(id, 'resolved', sendResolution);
  };
  const sendResolution = async (isLeaving: boolean) => {
    if (isLeaving) await changeIncident(id, { status: 'resolved' }, isLeaving).catch(() => undefined);
    else change.mutate({ status: 'resolved' });
  };
  const undo = () => {
    row.current?.focus();
    undoChange(id);
  };
  useShortcuts([
    ...steps.map(({ to, label, key }) => ({ keys: key, label: label, run: () => move(to) })),
    ...(isHeld ? [{ keys: 'z', label: texts.change.undo, run: undo }] : []),
  ]);
  return (
    <>
      <div ref={row} tabIndex={-1} className="flex flex-wrap items-center gap-2">
        {isHeld && (
          <>
            {/* The head says it to screen readers. */}
            <span aria-hidden="true" className="text-sm">
              {heldTo === 'resolved' ? texts.change.resolved : texts.change.investigating}
            </span>
            <Button aria-keyshortcuts="z" onClick={undo}>
              {texts.change.undo} <Key>z</Key>
            </Button>
          </>
        )}
        {steps.map(({ to, label, key }, index) => (
          <Button
            key={to}
            variant={index === 0 ? 'primary' : 'plain'}
            busy={change.isPending}
            aria-keyshortcuts={key}
            onClick={() => move(to)}
          >
            {label}
            <Key>{key}</Key>
          </Button>
        ))}
        {children}
      </div>
      {change.error && <Alert>{explainFailure(change.error)}</Alert>}
    </>
  );
}
