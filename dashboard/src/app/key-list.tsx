import { listShortcuts } from '../lib/shortcuts.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../ui/layout/dialog.tsx';

/** The keys that work on this page. */
export function KeyList({ onClose }: { onClose: () => void }) {
  // Where a page took a key from the frame, the page's is the one that works.
  const working = new Map(listShortcuts().map((shortcut) => [shortcut.keys, shortcut]));
  const shortcuts = [{ keys: 'Ctrl K', says: 'Command menu' }, ...working.values()];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5">
        {shortcuts.map(({ keys, says }) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border border-line-strong px-1.5 font-mono text-xs">{keys}</kbd>
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  );
}
