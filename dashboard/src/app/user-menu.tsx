import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import { sessionQuery } from '../lib/queries.ts';
import { Button } from '../ui/controls/button.tsx';
import { useLogOut } from './use-log-out.ts';

/** Who is logged in, the way to the account, and out. */
export function UserMenu() {
  const { data: session } = useQuery(sessionQuery);
  const details = useRef<HTMLDetailsElement>(null);
  const logOut = useLogOut();
  const close = () => details.current?.removeAttribute('open');
  return (
    <details
      ref={details}
      className="relative"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <summary className="max-w-40 list-none truncate rounded-md border border-line-strong px-3 py-1 text-sm leading-6">
        {session?.user.name ?? 'Account'}
      </summary>
      <div className="absolute right-0 z-30 mt-1 flex w-56 flex-col gap-1 rounded-lg border border-line bg-raised p-2 shadow-lg">
        <p className="truncate px-2 py-1 text-xs text-text-muted">{session?.user.email}</p>
        <Link to="/settings/account" onClick={close} className="rounded px-2 py-1.5 text-sm hover:bg-hover">
          Account
        </Link>
        <Button
          variant="ghost"
          className="justify-start! px-2!"
          busy={logOut.isPending}
          onClick={() => logOut.mutate()}
        >
          Log out
        </Button>
      </div>
    </details>
  );
}
