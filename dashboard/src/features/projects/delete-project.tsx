import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ProjectRecord } from '../../lib/api-types.ts';
import { formatCount } from '../../lib/format.ts';
import { incidentCountsQuery, queryClient } from '../../lib/queries.ts';
import { useScope } from '../../lib/scope.ts';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/feedback/toasts.tsx';
import { ConfirmByName } from '../../ui/forms/confirm-by-name.tsx';
import { Section } from '../../ui/layout/page.tsx';
import { deleteProject, keysQuery, ledgerQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.deleteProject;

/** Deletes a project with all its data. */
export function DeleteProject({ project }: { project: ProjectRecord }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Section title={words.title}>
      <div className="flex flex-wrap items-center gap-4 rounded-md border border-line p-4">
        <p className="min-w-0 flex-1 basis-64">{words.hint}</p>
        <Button variant="danger" onClick={() => setIsAsking(true)}>
          {words.open}
        </Button>
      </div>
      {isAsking && <ConfirmDeletion project={project} onClose={() => setIsAsking(false)} />}
    </Section>
  );
}

function ConfirmDeletion({ project, onClose }: { project: ProjectRecord; onClose: () => void }) {
  const navigate = useNavigate();
  const [scope] = useScope();
  const deletion = useMutation({
    mutationFn: () => deleteProject(project.id),
    onSuccess: async () => {
      // The address must not keep the deleted project as its scope.
      await navigate({
        to: '/projects',
        search: scope.project === project.id ? { project: undefined } : {},
        replace: true,
      });
      queryClient.removeQueries({ queryKey: ['projects', project.id] });
      showToast(`${project.name} deleted`);
      await queryClient.invalidateQueries();
    },
  });
  return (
    <ConfirmByName
      title={words.confirmTitle(project.name)}
      name={project.name}
      action={words.confirm}
      busy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate()}
      onClose={onClose}
    >
      <p>{words.losses}</p>
      <Losses projectId={project.id} />
      <p>{words.consequence}</p>
    </ConfirmByName>
  );
}

function Losses({ projectId }: { projectId: string }) {
  const { data: ledger } = useQuery(ledgerQuery(projectId));
  const { data: incidents } = useQuery(incidentCountsQuery(projectId));
  const { data: keys } = useQuery(keysQuery(projectId));
  const counted = [
    { count: ledger?.stored, one: 'event', many: 'events' },
    {
      count: incidents && incidents.open + incidents.investigating + incidents.resolved,
      one: 'incident with its notes',
      many: 'incidents with their notes',
    },
    { count: keys?.length, one: 'API key', many: 'API keys' },
  ];
  return (
    <ul className="list-disc pl-5">
      {counted.map(({ count, one, many }) => (
        <li key={one}>
          <strong className="font-semibold">{count === undefined ? '…' : formatCount(count)}</strong>{' '}
          {count === 1 ? one : many}
        </li>
      ))}
    </ul>
  );
}
