import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../../lib/queries.ts';
import { readTheme, switchTheme, THEMES } from '../../lib/theme.ts';
import { switchZone, TIME_ZONE } from '../../lib/time-zone.ts';
import { Button } from '../../ui/controls/button.tsx';
import { texts as navigation } from '../navigation/texts.ts';
import { texts as words } from './texts.ts';
import { useLogOut } from './use-log-out.ts';

/** Links to the account and (on phones) the settings, the time zone, the theme, and the logout. */
export function UserPanel({ close }: { close: () => void }) {
  const { data: session } = useQuery(sessionQuery);
  const logOut = useLogOut();
  return (
    <>
      <p className="truncate px-2 py-1 text-xs text-text-muted">{session?.user.email}</p>
      <Link to="/settings/account" onClick={close} className="rounded px-2 py-1.5 text-sm hover:bg-hover">
        {words.account}
      </Link>
      <Link to="/settings" onClick={close} className="rounded px-2 py-1.5 text-sm hover:bg-hover sm:hidden">
        {navigation.places.settings}
      </Link>
      <button
        type="button"
        aria-pressed={TIME_ZONE === 'UTC'}
        onClick={switchZone}
        className="flex items-center justify-between rounded px-2 py-1.5 text-left text-sm hover:bg-hover"
      >
        {words.times} <span aria-hidden="true">{TIME_ZONE === 'UTC' ? '✓' : ''}</span>
      </button>
      <ThemeChoice />
      <Button
        variant="ghost"
        className="justify-start! px-2!"
        busy={logOut.isPending}
        onClick={() => logOut.mutate()}
      >
        {words.logOut}
      </Button>
    </>
  );
}

function ThemeChoice() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <div role="group" aria-label={words.theme} className="px-2 py-1">
      <p aria-hidden="true" className="mb-1 text-xs text-text-muted">
        {words.theme}
      </p>
      <div className="flex gap-1">
        {THEMES.map((one) => (
          <Button
            key={one}
            variant={one === theme ? 'plain' : 'ghost'}
            aria-pressed={one === theme}
            className="flex-1 px-1!"
            onClick={() => {
              switchTheme(one);
              setTheme(one);
            }}
          >
            {words.themes[one]}
          </Button>
        ))}
      </div>
    </div>
  );
}
