import { useRef } from 'react';
import type { Incident } from '../../../lib/api-types.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { useSteadyRows } from '../../../ui/feedback/use-steady-rows.ts';
import { ABOVE, WaitingButton } from '../../../ui/feedback/waiting-button.tsx';
import { useHeldChanges } from '../change/held-changes.ts';
import { IncidentRow } from './incident-row.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { texts } from './texts.ts';
import { type BulkStatus, useBulkChange } from './use-bulk-change.ts';
import { useSelection } from './use-selection.ts';

interface IncidentListProps {
  incidents: Incident[];
  /** Name of the list: another one, or a longer one, is shown at once. */
  name: string;
  /** Names by id. */
  projects: ReadonlyMap<string, string>;
  withStatus: boolean;
}

const isUnresolved = ({ status }: Incident) => status !== 'resolved';

/**
 * A row for each incident; j and k move the focus, and Enter opens the focused one. Keys act on the selected
 * incidents, or on the focused one if none is selected.
 */
export function IncidentList({ incidents, name, projects, withStatus }: IncidentListProps) {
  const list = useRef<HTMLUListElement>(null);
  const heldChanges = useHeldChanges();
  const bulk = useBulkChange();
  const selection = useSelection(incidents.filter(isUnresolved).map(({ id }) => id));
  const { shown, waiting, adopt, area } = useSteadyRows(incidents, name, selection.ids.size > 0);
  const rows = () => [...(list.current?.querySelectorAll<HTMLAnchorElement>('[data-incident]') ?? [])];
  const focused = () =>
    rows().findIndex((row) => row.closest('li')?.contains(document.activeElement) === true);
  const focus = (row: HTMLAnchorElement | undefined) => {
    row?.focus();
    row?.closest('li')?.scrollIntoView({ block: 'nearest' });
  };
  const step = (by: 1 | -1) => {
    const at = focused();
    focus(rows()[at === -1 ? 0 : at + by]);
  };
  const focusedId = () => rows()[focused()]?.dataset.incident;
  const move = (to: BulkStatus) => {
    const ids = selection.ids.size > 0 ? selection.ids : new Set([focusedId()]);
    bulk.move(
      incidents.filter(({ id }) => ids.has(id)),
      to,
    );
    selection.clear();
  };
  const select = () => {
    const id = focusedId();
    if (id) selection.toggle(id);
  };
  const canChange = incidents.some(isUnresolved);
  useShortcuts([
    { keys: 'Enter', label: texts.keys.open },
    { keys: 'j', label: texts.keys.next, run: () => step(1) },
    { keys: 'k', label: texts.keys.previous, run: () => step(-1) },
    ...(canChange
      ? [
          { keys: 'x', label: texts.keys.select, run: select },
          { keys: 'i', label: texts.keys.investigate, run: () => move('investigating') },
          { keys: 'r', label: texts.keys.resolve, run: () => move('resolved') },
        ]
      : []),
    ...(selection.ids.size > 0 ? [{ keys: 'Escape', label: texts.keys.clear, run: selection.clear }] : []),
    ...(bulk.held ? [{ keys: 'z', label: texts.keys.undo, run: bulk.undo }] : []),
  ]);
  return (
    <>
      <div {...area} className="relative">
        <WaitingButton waiting={waiting} onShow={adopt} className={ABOVE} />
        <ul ref={list} aria-label={texts.title} className="divide-y divide-line border-b border-line">
          {shown.map((incident) => (
            <IncidentRow
              key={incident.id}
              incident={incident}
              project={projects.get(incident.projectId) ?? ''}
              withStatus={withStatus}
              heldTo={isUnresolved(incident) ? heldChanges.get(incident.id)?.to : undefined}
              isSelected={selection.ids.has(incident.id)}
              onSelect={isUnresolved(incident) ? () => selection.toggle(incident.id) : undefined}
            />
          ))}
        </ul>
      </div>
      <SelectionBar
        count={selection.ids.size}
        held={bulk.held}
        onMove={move}
        onClear={selection.clear}
        onUndo={bulk.undo}
      />
    </>
  );
}
