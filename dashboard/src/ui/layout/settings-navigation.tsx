import { TabLinks } from './tab-links.tsx';
import { texts as words } from './texts.ts';

const PLACES = [
  { to: '/settings', label: words.organization, below: '/settings/audit' },
  { to: '/settings/account', label: words.account },
] as const;

/** The navigation between the pages of the settings. */
export function SettingsNavigation() {
  return <TabLinks name={words.name} places={PLACES} />;
}
