import type { useNavigate } from '@tanstack/react-router';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { describeProject } from '../../lib/project-name.ts';
import { switchTheme, THEMES } from '../../lib/theme.ts';
import { switchZone, TIME_ZONE } from '../../lib/time-zone.ts';
import type { IconName } from '../../ui/display/icons.tsx';
import { anchorOf } from '../../ui/layout/anchor.ts';
import type { Entry } from './entry.ts';
import { texts as words } from './texts.ts';

type Navigate = ReturnType<typeof useNavigate>;

/** Sections of the settings, each with its page, by the title that it has there. */
const SECTIONS = [
  { to: '/settings/account', page: 'account', icon: 'user', titles: words.sections.account },
  { to: '/settings', page: 'organization', icon: 'settings', titles: words.sections.organization },
  { to: '/alerts', page: 'rules', icon: 'alerts', titles: words.sections.rules },
  { to: '/alerts/destinations', page: 'destinations', icon: 'bell', titles: words.sections.destinations },
] as const;

const PROJECT_SECTIONS = [
  { to: '/projects/$projectId', titles: words.sections.project },
  { to: '/projects/$projectId/data', titles: words.sections.data },
  { to: '/projects/$projectId/requests', titles: words.sections.requests },
] as const;

/** Returns the sections of the pages of settings. */
export function sectionEntries(navigate: Navigate): Entry[] {
  return SECTIONS.flatMap(({ to, page, icon, titles }) =>
    Object.entries(titles).map(([label, also]) =>
      toEntry({ label, also, icon, hint: words.sectionPages[page] }, (hash) => void navigate({ to, hash })),
    ),
  );
}

/** Returns the sections of the pages of a project. */
export function projectSectionEntries(project: ProjectRecord, navigate: Navigate): Entry[] {
  const params = { projectId: project.id };
  const hint = describeProject(project);
  return PROJECT_SECTIONS.flatMap(({ to, titles }) =>
    Object.entries(titles).map(([label, also]) =>
      toEntry({ label, also, icon: 'projects', hint }, (hash) => void navigate({ to, params, hash })),
    ),
  );
}

function toEntry(
  shown: { label: string; also: string; icon: IconName; hint: string },
  open: (hash: string) => void,
): Entry {
  const { label, hint } = shown;
  return {
    ...shown,
    id: `section ${label} ${hint}`,
    group: 'places',
    onlyFor: /./,
    run: () => open(anchorOf(label)),
  };
}

/** Returns what the user can choose for the browser: colours, and the zone of all times. */
export function displayEntries(): Entry[] {
  const choice = (label: string, run: () => void): Entry => ({
    id: `display ${label}`,
    group: 'actions',
    icon: 'settings',
    label,
    also: words.display.also,
    onlyFor: /./,
    run,
  });
  return [
    ...THEMES.map((theme) => choice(words.display.themes[theme], () => switchTheme(theme))),
    choice(TIME_ZONE === 'UTC' ? words.display.localTimes : words.display.utc, switchZone),
  ];
}

/** Returns what the user can make: each opens its form. */
export function actionEntries(navigate: Navigate, isOwner: boolean): Entry[] {
  const action = (label: string, also: string, run: () => void): Entry => ({
    id: `action ${label}`,
    group: 'actions',
    icon: 'plus',
    label,
    also,
    onlyFor: /./,
    run,
  });
  const { make } = words;
  const create = true;
  return [
    action(make.silence, 'create mute', () => void navigate({ to: '/alerts/silences', search: { create } })),
    action(
      make.schedule,
      'create cron job',
      () => void navigate({ to: '/alerts/schedules', search: { create } }),
    ),
    action(make.rule, 'new create threshold', () => void navigate({ to: '/alerts', search: { create } })),
    action(make.token, 'new', () => void navigate({ to: '/settings/account', search: { create } })),
    ...(isOwner
      ? [
          action(
            make.target,
            'new create webhook slack mail',
            () => void navigate({ to: '/alerts/destinations', search: { create } }),
          ),
          action(
            make.invite,
            'new add member user',
            () => void navigate({ to: '/settings', search: { create } }),
          ),
        ]
      : []),
  ];
}
