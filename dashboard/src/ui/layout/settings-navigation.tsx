import { Link } from '@tanstack/react-router';

const PLACES = [
  { to: '/settings', label: 'Organization' },
  { to: '/settings/audit', label: 'Audit log' },
  { to: '/settings/account', label: 'Account' },
] as const;

/** The ways between the pages of the settings. */
export function SettingsNavigation() {
  return (
    <nav aria-label="Settings" className="mb-6 border-b border-line">
      <ul className="-mb-px flex gap-4">
        {PLACES.map(({ to, label }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: true, includeSearch: false }}
              className="flex min-h-9 items-center border-b-2 px-1 text-sm"
              activeProps={{ className: 'border-accent font-semibold', 'aria-current': 'page' }}
              inactiveProps={{ className: 'border-transparent text-text-muted hover:text-text' }}
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
