import type { ReactNode } from 'react';
import { Page } from '../page.tsx';
import { TabLinks } from '../tab-links.tsx';
import { texts as words } from './texts.ts';

const PLACES = [
  { to: '/alerts', label: words.rules, below: '/alerts/watched' },
  { to: '/alerts/schedules', label: words.schedules },
  { to: '/alerts/silences', label: words.silences },
  { to: '/alerts/destinations', label: words.destinations },
  { to: '/alerts/quiet-log', label: words.quietLog },
] as const;

interface AlertsPageProps {
  /** Name of the page in the title of the tab; unset for the first page. */
  title?: string;
  children: ReactNode;
}

/** A page of alerts below the tabs that lead to the others. */
export function AlertsPage({ title, children }: AlertsPageProps) {
  return (
    <Page title={title === undefined ? words.title : words.tabTitle(title)} heading={words.title}>
      <TabLinks name={words.title} places={PLACES} />
      {children}
    </Page>
  );
}
