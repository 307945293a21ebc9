import type { IconName } from '../../ui/display/icons.tsx';
import { texts as words } from './texts.ts';

/** Pages that a sequence of keys leads to on every page, for the frame and the palette. */
export const PLACES = [
  { to: '/', icon: 'overview', keys: 'g o', label: words.places.overview },
  { to: '/incidents', icon: 'incidents', keys: 'g i', label: words.places.incidents },
  { to: '/groups', icon: 'groups', keys: 'g g', label: words.places.groups },
  { to: '/releases', icon: 'releases', keys: 'g r', label: words.releases },
  { to: '/events', icon: 'events', keys: 'g e', label: words.places.events },
  { to: '/alerts', icon: 'alerts', keys: 'g a', label: words.places.alerts },
  { to: '/projects', icon: 'projects', keys: 'g p', label: words.places.projects },
  { to: '/settings', icon: 'settings', keys: 'g s', label: words.places.settings },
] as const satisfies { to: string; icon: IconName; keys: string; label: string }[];
