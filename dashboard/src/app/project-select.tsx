import { useQuery } from '@tanstack/react-query';
import { describeProject } from '../lib/project-name.ts';
import { projectsQuery } from '../lib/queries.ts';
import { useScope } from '../lib/scope.ts';
import { SelectField } from '../ui/forms/field.tsx';
import { texts } from './texts.ts';

const words = texts.bar;

/** Returns the name of the project of the scope. */
export function useProjectName(): string {
  const [{ project }] = useScope();
  const { data: projects = [], isPending } = useQuery(projectsQuery);
  if (!project) return words.allProjects;
  const known = projects.find(({ id }) => id === project);
  return known ? describeProject(known) : isPending ? '…' : words.unknownProject;
}

export function ProjectSelect({ className = '' }: { className?: string }) {
  const [scope, setScope] = useScope();
  const { data: projects = [] } = useQuery(projectsQuery);
  const name = useProjectName();
  const isKnown = !scope.project || projects.some(({ id }) => id === scope.project);
  return (
    <SelectField
      label={words.project}
      labelHidden
      className={className}
      value={scope.project ?? ''}
      onChange={(id) => setScope({ project: id || undefined })}
      options={[
        { value: '', label: words.allProjects },
        ...(isKnown ? [] : [{ value: scope.project ?? '', label: name }]),
        ...projects.map((project) => ({ value: project.id, label: describeProject(project) })),
      ]}
    />
  );
}
