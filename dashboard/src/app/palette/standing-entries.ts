import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { newestOpenIncidentsQuery } from '../../features/incidents/palette-queries.ts';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { useIsOwner } from '../../lib/members/use-is-owner.ts';
import { describeProject } from '../../lib/project-name.ts';
import { membersQuery, projectsQuery } from '../../lib/queries.ts';
import { useScope } from '../../lib/scope.ts';
import type { IconName } from '../../ui/display/icons.tsx';
import { PLACES } from '../navigation/places.ts';
import { useLogOut } from '../user/use-log-out.ts';
import type { Entry } from './entry.ts';
import { actionEntries, displayEntries, projectSectionEntries, sectionEntries } from './settings-entries.ts';
import { texts as words } from './texts.ts';

type Navigate = ReturnType<typeof useNavigate>;

/** Maximum number of projects whose sections are offered; others are found once they are the project of the top bar. */
const MAX_PROJECTS = 20;

/** Returns the entries that do not depend on the typed text: places, open incidents, projects, members and actions. */
export function useStandingEntries(showKeys: () => void): Entry[] {
  const navigate = useNavigate();
  const projects = useProjectEntries(navigate);
  const { data: incidents } = useQuery(newestOpenIncidentsQuery);
  const { data: members = [] } = useQuery(membersQuery);
  const isOwner = useIsOwner() === true;
  const logOut = useLogOut();
  return [
    ...placesOf(navigate),
    ...sectionEntries(navigate),
    ...(incidents?.items ?? []).map(
      ({ id, title, severity }): Entry => ({
        id,
        group: 'open',
        icon: 'incidents',
        label: title,
        hint: severity,
        run: () => void navigate({ to: '/incidents/$incidentId', params: { incidentId: id } }),
      }),
    ),
    ...projects,
    ...members.map(
      ({ user: { id, name, email } }): Entry => ({
        id,
        group: 'members',
        icon: 'user',
        label: name,
        hint: email,
        onlyFor: /./,
        run: () => void navigate({ to: '/settings' }),
      }),
    ),
    {
      id: 'create project',
      group: 'actions',
      icon: 'plus',
      label: words.createProject,
      run: () => void navigate({ to: '/projects/new' }),
    },
    {
      id: 'create incident',
      group: 'actions',
      icon: 'plus',
      label: words.createIncident,
      run: () => void navigate({ to: '/incidents', search: { create: true } }),
    },
    ...actionEntries(navigate, isOwner),
    ...displayEntries(),
    { id: 'keys', group: 'actions', icon: 'keyboard', label: words.shortcuts, keys: '?', run: showKeys },
    {
      id: 'api',
      group: 'actions',
      icon: 'link',
      label: words.api,
      run: () => location.assign('/docs/'),
    },
    { id: 'log out', group: 'actions', icon: 'external', label: words.logOut, run: () => logOut.mutate() },
  ];
}

function placesOf(navigate: Navigate): Entry[] {
  const place = (label: string, icon: IconName, to: Parameters<Navigate>[0]): Entry => ({
    id: `go ${label}`,
    group: 'places',
    label,
    icon,
    run: () => void navigate(to),
  });
  // Listed for a typed text alone: there is no room for all pages.
  const subpage = (...page: Parameters<typeof place>): Entry => ({ ...place(...page), onlyFor: /./ });
  const { pages } = words;
  return [
    ...PLACES.map(({ to, label, icon, keys }) => ({ ...place(label, icon, { to }), keys })),
    subpage(pages.schedules, 'alerts', { to: '/alerts/schedules' }),
    subpage(pages.silences, 'mute', { to: '/alerts/silences' }),
    subpage(pages.destinations, 'bell', { to: '/alerts/destinations' }),
    subpage(pages.quietLog, 'alerts', { to: '/alerts/quiet-log' }),
    subpage(pages.watched, 'alerts', { to: '/alerts/watched' }),
    subpage(pages.auditLog, 'settings', { to: '/settings/audit' }),
    subpage(pages.account, 'user', { to: '/settings/account' }),
  ];
}

/** Returns two entries a project, which switch to it and open its settings, and one that leaves the present project. */
function useProjectEntries(navigate: Navigate): Entry[] {
  const [scope, setScope] = useScope();
  const { data: projects = [] } = useQuery(projectsQuery);
  const switchTo = (label: string, id: string, project: string | undefined): Entry => ({
    id,
    group: 'projects',
    icon: 'projects',
    label,
    hint: words.switchTo,
    run: () => setScope({ project }),
  });
  const settingsOf = (project: ProjectRecord): Entry => ({
    id: `${project.id} settings`,
    group: 'projects',
    icon: 'key',
    label: describeProject(project),
    hint: words.keysAndSettings,
    // A project has one row until its keys or settings are searched for.
    onlyFor: /key|sett/i,
    run: () => void navigate({ to: '/projects/$projectId', params: { projectId: project.id } }),
  });
  return [
    ...(scope.project ? [switchTo(words.allProjects, 'all projects', undefined)] : []),
    ...projects.flatMap((project) => [
      switchTo(describeProject(project), project.id, project.id),
      settingsOf(project),
    ]),
    ...projects
      .filter(({ id }) => (scope.project ?? id) === id)
      .slice(0, MAX_PROJECTS)
      .flatMap((project) => projectSectionEntries(project, navigate)),
  ];
}
