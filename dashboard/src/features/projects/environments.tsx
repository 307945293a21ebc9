import { useMutation, useQuery } from '@tanstack/react-query';
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
  return (
    <Section title={words.environments}>
      <p className="mb-2 max-w-prose text-text-muted">{words.hint}</p>
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
