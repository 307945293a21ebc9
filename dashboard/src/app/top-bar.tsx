import { useMatches } from '@tanstack/react-router';
import { formatBadge } from '../lib/format.ts';
import { COMMAND_MENU_KEYS } from '../lib/platform.ts';
import { useConnectionState } from '../lib/realtime.ts';
import { Button } from '../ui/controls/button.tsx';
import { Icon } from '../ui/display/icons.tsx';
import { lazyPage } from './lazy-page.tsx';
import { NewsBell } from './news-bell.tsx';
import type { Banners } from './notices/use-banners.ts';
import { RetentionNote } from './retention-note.tsx';
import { texts } from './texts.ts';
import { UserMenu } from './user/user-menu.tsx';

const words = texts.bar;
/** Loaded apart from the initial chunk: a page needs its own chunk, too, before there is anything to choose. */
const ScopeControls = lazyPage(() => import('./scope-controls.tsx'), 'ScopeControls');

/** The project and the time range, on pages that depend on them, and the state of the connection. */
export function TopBar({ onSearch, banners }: { onSearch: () => void; banners: Banners }) {
  const scope = useMatches({ select: (matches) => matches.at(-1)?.staticData.scope });
  return (
    <>
      <header className="sticky top-0 z-30 flex items-center gap-2 border-b border-line bg-surface px-4 py-2">
        {scope && <ScopeControls withTime={scope === 'project and time'} />}
        <div className="ml-auto flex items-center gap-2">
          <Connection />
          {banners.folded > 0 && (
            <Button
              variant="ghost"
              className="text-warn!"
              aria-label={words.showNotices(banners.folded)}
              onClick={banners.unfold}
            >
              <Icon name="incidents" />
              {formatBadge(banners.folded)}
            </Button>
          )}
          <Button onClick={onSearch} aria-keyshortcuts="Control+K Meta+K">
            <Icon name="search" />
            <span className="max-md:sr-only">{words.search}</span>
            <kbd
              aria-hidden="true"
              className="hidden text-xs font-normal text-text-muted md:inline pointer-coarse:hidden"
            >
              {COMMAND_MENU_KEYS}
            </kbd>
          </Button>
          <NewsBell />
          <UserMenu />
        </div>
      </header>
      {scope === 'project and time' && <RetentionNote />}
    </>
  );
}

const CONNECTION = {
  connecting: { className: 'text-text-muted', glyph: '○' },
  live: { className: 'text-good', glyph: '●' },
  reconnecting: { className: 'text-warn', glyph: '◐' },
  offline: { className: 'text-critical', glyph: '○' },
} as const;

/** The state of the connection: a dot with a word. */
function Connection() {
  const state = useConnectionState();
  const { className, glyph } = CONNECTION[state];
  return (
    <span
      role="status"
      aria-label={words.connection}
      className={`inline-flex items-center gap-1.5 text-sm lg:w-28 ${className}`}
    >
      <span aria-hidden="true">{glyph}</span>
      <span className="max-lg:sr-only">{words.states[state]}</span>
    </span>
  );
}
