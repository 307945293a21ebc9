import { COMMAND_MENU_KEYS } from '../lib/platform.ts';
import { listShortcuts, type Shortcut } from '../lib/shortcuts.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog, DialogActions } from '../ui/layout/dialog.tsx';
import { texts } from './texts.ts';

const words = texts.keys;

/** The keys that work on this page. */
export function KeyList({ onClose }: { onClose: () => void }) {
  // A page's key overrides the same key of the frame.
  const working = [...new Map(listShortcuts().map((shortcut) => [shortcut.keys, shortcut])).values()];
  const menu = { keys: COMMAND_MENU_KEYS, label: words.menu };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Keys title={words.groups.page} shortcuts={working.filter(({ everywhere }) => !everywhere)} />
      <Keys
        title={words.groups.everywhere}
        shortcuts={[menu, ...working.filter(({ everywhere }) => everywhere)]}
      />
      <DialogActions>
        <Button onClick={onClose}>{words.close}</Button>
      </DialogActions>
    </Dialog>
  );
}

function Keys({ title, shortcuts }: { title: string; shortcuts: Pick<Shortcut, 'keys' | 'label'>[] }) {
  if (shortcuts.length === 0) return null;
  return (
    <section className="mb-4">
      <h3 className="mb-1.5 text-sm font-semibold">{title}</h3>
      <dl className="grid grid-cols-[4.5rem_1fr] gap-x-4 gap-y-1.5">
        {shortcuts.map(({ keys, label }) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border border-line-strong px-1.5 font-mono text-xs whitespace-nowrap">
                {keys}
              </kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
