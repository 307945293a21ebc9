import { useMutation, useQuery } from '@tanstack/react-query';
import { MAJORITY_SHARE } from '../../../../server/src/environments/limits.ts';
import type { ProjectEnvironment } from '../../lib/api-types.ts';
import { queryClient } from '../../lib/queries.ts';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { CheckField } from '../../ui/forms/field.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { changeEnvironment, environmentsQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.environments;

/** A switch for each environment that events of the project name. */
export function Environments({ projectId }: { projectId: string }) {
  const { data: environments = [] } = useQuery(environmentsQuery(projectId));
  const { mutate, isPending } = useMutation({
    mutationFn: (environment: ProjectEnvironment) => changeEnvironment(projectId, environment),
    onSuccess: () => showToast(words.saved),
    onSettled: () => queryClient.invalidateQueries({ queryKey: environmentsQuery(projectId).queryKey }),
  });
  if (environments.length === 0) return null;
  const missing = findMissing(environments);
  return (
    <Section title={words.environments}>
      <p className="mb-2 max-w-prose text-text-muted">{words.hint}</p>
      {missing && (
        <p role="note" className="mb-2 max-w-prose font-medium wrap-anywhere">
          {words.missing(missing.name, missing.percent)}
        </p>
      )}
      <ul className="space-y-2">
        {environments.map((environment) => (
          <li key={environment.name}>
            <CheckField
              label={environment.isOwn ? words.own(environment.name) : environment.name}
              checked={environment.isWatched}
              disabled={isPending}
              onChange={({ target }) => mutate({ ...environment, isWatched: target.checked })}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Returns the environment that nearly all events come from, if it is not watched. */
function findMissing(environments: ProjectEnvironment[]): { name: string; percent: number } | null {
  const all = environments.reduce((sum, { eventsLastHour }) => sum + eventsLastHour, 0);
  const most = environments.find(({ eventsLastHour }) => eventsLastHour > MAJORITY_SHARE * all);
  if (!most || most.isWatched) return null;
  return { name: most.name, percent: Math.floor((100 * most.eventsLastHour) / all) };
}
