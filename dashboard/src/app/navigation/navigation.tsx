import { Link, type LinkProps, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { formatBadge } from '../../lib/format.ts';
import { Icon, type IconName } from '../../ui/display/icons.tsx';
import { Mark } from '../../ui/display/mark.tsx';
import { texts as words } from './texts.ts';

interface Place {
  to: NonNullable<LinkProps['to']>;
  icon: IconName & keyof typeof words.places;
  /** Path of pages beside it, without an entry of its own. */
  beside?: string;
}

const PLACES: readonly Place[] = [
  { to: '/', icon: 'overview' },
  { to: '/incidents', icon: 'incidents' },
  { to: '/groups', icon: 'groups', beside: '/releases' },
  { to: '/events', icon: 'events' },
  { to: '/alerts', icon: 'alerts' },
  { to: '/projects', icon: 'projects' },
  { to: '/settings', icon: 'settings' },
];

const CURRENT = { className: 'bg-hover text-text! font-medium', 'aria-current': 'page' } as const;

/** Links without room on phones, where the account menu leads to the settings. */
const HIDDEN_ON_PHONES: ReadonlySet<string> = new Set(['/settings']);

const STORAGE_KEY = 'tocsin.navigation';

/** The rail at the left, which shrinks to its icons on demand and under 1024 px; a bar at the bottom of phones. */
export function Navigation({ openIncidents }: { openIncidents: number }) {
  const [narrow, setNarrow] = useState(() => localStorage.getItem(STORAGE_KEY) === 'narrow');
  const toggle = () => {
    localStorage.setItem(STORAGE_KEY, narrow ? 'wide' : 'narrow');
    setNarrow(!narrow);
  };
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <nav
      aria-label={words.name}
      className={`fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-muted sm:sticky sm:top-0 sm:h-dvh sm:flex-col sm:border-t-0 sm:border-r ${narrow ? 'sm:w-14' : 'sm:w-14 lg:w-44'}`}
    >
      <p className="hidden items-center gap-2 px-4 py-3 font-semibold sm:flex">
        <Mark size={20} className="-mx-0.5" />
        <span className={narrow ? 'sr-only' : 'max-lg:sr-only'}>{words.product}</span>
      </p>
      <ul className="flex flex-1 justify-around sm:flex-col sm:justify-start sm:gap-0.5 sm:px-2">
        {PLACES.map(({ to, icon, beside }) => (
          <li key={to} className={`flex-1 sm:flex-none ${HIDDEN_ON_PHONES.has(to) ? 'max-sm:hidden' : ''}`}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className="flex min-h-11 flex-col items-center justify-center gap-0.5 rounded-md text-xs text-text-muted hover:bg-hover hover:text-text sm:min-h-9 sm:flex-row sm:justify-start sm:gap-3 sm:px-2 sm:text-sm"
              activeProps={CURRENT}
              inactiveProps={beside && path.startsWith(beside) ? CURRENT : {}}
            >
              <span className="relative">
                <Icon name={icon} />
                {to === '/incidents' && openIncidents > 0 && (
                  <span
                    aria-hidden="true"
                    title={words.open(openIncidents)}
                    className={`absolute -top-2 left-2 rounded-full bg-bad-soft px-1 text-xs/4 text-text ${narrow ? '' : 'lg:hidden'}`}
                  >
                    {formatBadge(openIncidents)}
                  </span>
                )}
              </span>
              <span className={narrow ? 'sm:sr-only' : 'sm:max-lg:sr-only lg:flex-1'}>
                {words.places[icon]}
              </span>
              {to === '/incidents' && openIncidents > 0 && (
                <span
                  className={`sr-only ${narrow ? '' : 'lg:not-sr-only lg:rounded-full lg:bg-bad-soft lg:px-1.5 lg:text-xs lg:text-text'}`}
                >
                  <span aria-hidden="true" title={words.open(openIncidents)}>
                    {formatBadge(openIncidents)}
                  </span>
                  <span className="sr-only">{words.open(openIncidents)}</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      <button
        type="button"
        onClick={toggle}
        aria-expanded={!narrow}
        className="hidden min-h-9 items-center gap-3 px-4 text-left text-xs text-text-muted hover:text-text lg:flex"
      >
        <Icon name={narrow ? 'expand' : 'collapse'} />
        <span className={narrow ? 'sr-only' : ''}>{narrow ? words.expand : words.collapse}</span>
      </button>
    </nav>
  );
}
