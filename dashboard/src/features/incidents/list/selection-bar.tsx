import { Button } from '../../../ui/controls/button.tsx';
import { Key } from '../../../ui/controls/key.tsx';
import { texts } from './texts.ts';
import type { BulkChange, BulkStatus } from './use-bulk-change.ts';

interface SelectionBarProps {
  count: number;
  held: BulkChange['held'];
  onMove: (to: BulkStatus) => void;
  onClear: () => void;
  onUndo: () => void;
}

/** The actions on the selected incidents, and the undo of the last one. It floats: no row moves. */
export function SelectionBar({ count, held, onMove, onClear, onUndo }: SelectionBarProps) {
  if (count === 0 && !held) return null;
  const words = texts.selection;
  return (
    <div
      role="toolbar"
      aria-label={words.name}
      className="sticky bottom-16 z-10 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-2 rounded-lg border border-line-strong bg-raised px-3 py-2 shadow-lg sm:bottom-3"
    >
      {held && (
        <>
          <span role="status" className="text-sm">
            {words.held(held.to, held.count)}
          </span>
          <Button aria-keyshortcuts="z" onClick={onUndo}>
            {words.undo} <Key>z</Key>
          </Button>
        </>
      )}
      {count > 0 && (
        <>
          <span role="status" className="text-sm">
            {words.count(count)}
          </span>
          <Button aria-keyshortcuts="i" onClick={() => onMove('investigating')}>
            {words.investigate} <Key>i</Key>
          </Button>
          <Button aria-keyshortcuts="r" onClick={() => onMove('resolved')}>
            {words.resolve} <Key>r</Key>
          </Button>
          <Button variant="ghost" onClick={onClear}>
            {words.clear} <Key>{words.clearKey}</Key>
          </Button>
        </>
      )}
    </div>
  );
}
