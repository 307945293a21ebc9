import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../lib/queries.ts';
import { switchZone, TIME_ZONE } from '../lib/time-zone.ts';
import { Button } from '../ui/controls/button.tsx';
import { DropDown } from '../ui/controls/drop-down.tsx';
import { useLogOut } from './use-log-out.ts';

/** Who is logged in, the way to the account, the zone of times, and out. */
export function UserMenu() {
  const { data: session } = useQuery(sessionQuery);
  const logOut = useLogOut();
  return (
    <DropDown label={session?.user.name ?? 'Account'} className="max-w-40">
      {(close) => (
        <>
          <p className="truncate px-2 py-1 text-xs text-text-muted">{session?.user.email}</p>
          <Link to="/settings/account" onClick={close} className="rounded px-2 py-1.5 text-sm hover:bg-hover">
            Account
          </Link>
          <button
            type="button"
            aria-pressed={TIME_ZONE === 'UTC'}
            onClick={switchZone}
            className="flex items-center justify-between rounded px-2 py-1.5 text-left text-sm hover:bg-hover"
          >
            Times in UTC <span aria-hidden="true">{TIME_ZONE === 'UTC' ? '✓' : ''}</span>
          </button>
          <Button
            variant="ghost"
            className="justify-start! px-2!"
            busy={logOut.isPending}
            onClick={() => logOut.mutate()}
          >
            Log out
          </Button>
        </>
      )}
    </DropDown>
  );
}
