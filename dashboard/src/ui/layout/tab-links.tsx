import { Link, type LinkProps, useLocation } from '@tanstack/react-router';

interface TabLinksProps {
  /** Accessible name of the navigation. */
  name: string;
  places: readonly { to: NonNullable<LinkProps['to']>; label: string; below?: string }[];
}

const CURRENT = { className: 'border-accent', 'aria-current': 'page' } as const;
const OTHER = { className: 'border-transparent text-text-muted hover:text-text' };

/**
 * The navigation between sibling pages: a link each, as tabs that wrap on a phone. A page that is reached from one of them, named by
 * its path as `below`, belongs to that tab.
 */
export function TabLinks({ name, places }: TabLinksProps) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <nav aria-label={name} className="mb-4 border-b border-line">
      <ul className="-mb-px flex flex-wrap gap-x-4">
        {places.map(({ to, label, below }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: true, includeSearch: false }}
              className="flex min-h-9 items-center border-b-2 px-1 text-sm"
              activeProps={CURRENT}
              inactiveProps={below === path ? CURRENT : OTHER}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
