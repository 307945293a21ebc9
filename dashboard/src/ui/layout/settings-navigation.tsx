import { Link } from '@tanstack/react-router';
import { texts as words } from './texts.ts';

const PLACES = [
  { to: '/settings', label: words.organization },
  { to: '/settings/notifications', label: words.notifications },
  { to: '/settings/silences', label: words.silences },
  { to: '/settings/audit', label: words.auditLog },
  { to: '/settings/account', label: words.account },
] as const;

/** The navigation between the pages of the settings. */
export function SettingsNavigation() {
  return (
    <nav aria-label={words.name} className="mb-6 border-b border-line">
      <ul className="-mb-px flex flex-wrap gap-x-4">
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
