import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NotificationRoute, NotificationTarget, ProjectRecord } from '../../lib/api-types.ts';
import { nameProjects } from '../../lib/project-name.ts';
import { projectsQuery } from '../../lib/queries.ts';
import { Button } from '../../ui/controls/button.tsx';
import { RowMenu } from '../../ui/controls/row-menu.tsx';
import { MadeByToken } from '../../ui/display/made-by-token.tsx';
import { Alert, Empty } from '../../ui/feedback/states.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { deleteRoute, readNotificationsAgain } from './queries.ts';
import { RouteForm } from './route-form.tsx';
import { RoutePreview } from './route-preview.tsx';
import { texts } from './texts.ts';

const words = texts.routes;

interface RouteListProps {
  routes: NotificationRoute[];
  targets: NotificationTarget[];
  isOwner: boolean;
}

export function RouteList({ routes, targets, isOwner }: RouteListProps) {
  const [isAdding, setIsAdding] = useState(false);
  const { data: projects = [] } = useQuery(projectsQuery);
  const names = new Map([...nameProjects(projects), ...targets.map(({ id, name }) => [id, name] as const)]);
  const add = isOwner && targets.length > 0 && (
    <Button variant={routes.length === 0 ? 'primary' : 'plain'} onClick={() => setIsAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Section title={words.title} actions={routes.length > 0 && add}>
      {routes.length === 0 ? (
        <Empty sign="sent" title={words.none} action={add}>
          {targets.length === 0 ? words.needsTarget : words.noneHint}
        </Empty>
      ) : (
        <ul aria-label={words.list} className="border-t border-line">
          {routes.map((route) => (
            <RouteRow key={route.id} {...{ route, targets, projects, names, isOwner }} />
          ))}
        </ul>
      )}
      {isAdding && (
        <RouteForm route={null} targets={targets} projects={projects} onClose={() => setIsAdding(false)} />
      )}
    </Section>
  );
}

interface RouteRowProps {
  route: NotificationRoute;
  targets: NotificationTarget[];
  projects: ProjectRecord[];
  /** Names of projects and targets by id. */
  names: ReadonlyMap<string, string>;
  isOwner: boolean;
}

function RouteRow({ route, targets, projects, names, isOwner }: RouteRowProps) {
  const [isChanging, setIsChanging] = useState(false);
  const [isPreviewed, setIsPreviewed] = useState(false);
  const removal = useMutation({ mutationFn: deleteRoute, onSettled: readNotificationsAgain });
  const nameOf = (id: string) => names.get(id) ?? words.unknown;
  const { id, projectId, targetId, fallbackTargetId, minSeverity, changes, maxPerWeek } = route;
  const project = projectId === null ? words.allProjects : (names.get(projectId) ?? words.someProject);
  const sentence = `${project}, ${words.fromSeverity(minSeverity)}: ${changes.map((change) => words.changes[change]).join(', ')}${words.bound(maxPerWeek)}`;
  const target = words.to(nameOf(targetId));
  return (
    <li className="border-b border-line py-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="wrap-anywhere">{sentence}</p>
          <p className="text-sm wrap-anywhere text-text-muted">
            {target}
            {fallbackTargetId !== null && words.fallback(nameOf(fallbackTargetId))}
          </p>
          <MadeByToken token={route.madeByToken} />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            aria-label={words.previewNamed(`${sentence} ${target}`)}
            aria-expanded={isPreviewed}
            onClick={() => setIsPreviewed((shown) => !shown)}
          >
            {words.preview}
          </Button>
          {isOwner && (
            <RowMenu
              of={words.named(`${sentence} ${target}`)}
              disabled={removal.isPending}
              items={[{ label: words.change, onSelect: () => setIsChanging(true) }]}
              last={{ label: words.remove, onSelect: () => removal.mutate(id) }}
            />
          )}
        </div>
      </div>
      {removal.error && <Alert>{removal.error.message}</Alert>}
      {isPreviewed && <RoutePreview routeId={id} maxPerWeek={maxPerWeek} />}
      {isChanging && (
        <RouteForm route={route} targets={targets} projects={projects} onClose={() => setIsChanging(false)} />
      )}
    </li>
  );
}
