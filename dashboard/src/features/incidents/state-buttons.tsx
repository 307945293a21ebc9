import type { ReactNode } from 'react';
import { useRef } from 'react';
import { ApiError } from '../../lib/api.ts';
import type { Incident, Status } from '../../lib/api-types.ts';
import { useShortcuts } from '../../lib/shortcuts.ts';
import { Button } from '../../ui/button.tsx';
import { Alert } from '../../ui/states.tsx';
import { useIncidentChange } from './use-incident-change.ts';

const STEPS: { to: Exclude<Status, 'open'>; from: Status[]; label: string; key: string }[] = [
  { to: 'investigating', from: ['open'], label: 'Investigate', key: 'i' },
  { to: 'resolved', from: ['open', 'investigating'], label: 'Resolve', key: 'r' },
];

/** Moves the incident on; only what may follow is there. */
export function StateButtons({ incident, children }: { incident: Incident; children: ReactNode }) {
  const change = useIncidentChange(incident.id);
  const row = useRef<HTMLDivElement>(null);
  const steps = STEPS.filter(({ from }) => from.includes(incident.status));
  const move = (status: Status) => {
    if (change.isPending) return;
    // The button that has the focus may go: whoever works by keyboard stays where it was.
    if (row.current?.contains(document.activeElement)) row.current.focus();
    change.mutate({ status });
  };
  useShortcuts(steps.map(({ to, label, key }) => ({ keys: key, says: label, run: () => move(to) })));
  return (
    <>
      <div ref={row} tabIndex={-1} className="flex flex-wrap items-center gap-2 outline-none">
        {steps.map(({ to, label, key }, index) => (
          <Button
            key={to}
            look={index === 0 ? 'primary' : 'plain'}
            busy={change.isPending}
            aria-keyshortcuts={key}
            onClick={() => move(to)}
          >
            {label}
            <kbd aria-hidden="true" className="hidden font-mono text-xs font-normal opacity-80 sm:inline">
              {key}
            </kbd>
          </Button>
        ))}
        {children}
      </div>
      {change.error && <Alert>{explain(change.error)}</Alert>}
    </>
  );
}

function explain(error: Error): string {
  if (error instanceof ApiError) {
    return error.code === 'invalid_transition' ? `${error.message} Somebody else was faster.` : error.message;
  }
  return 'The service cannot be reached, and the incident stays as it was. Try again when the connection is back.';
}
