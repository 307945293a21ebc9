import type { ProjectRecord } from './api-types.ts';

/**
 * Names a project, the same on every page. Two projects may have the same name and differ only in the environment, which
 * follows the name; production, the usual one, is left out.
 */
export function describeProject({ name, environment }: Pick<ProjectRecord, 'name' | 'environment'>): string {
  return environment === 'production' ? name : `${name} · ${environment}`;
}

/** Returns the names of projects by id, as `describeProject` gives them. */
export function nameProjects(projects: ProjectRecord[]): Map<string, string> {
  return new Map(projects.map((project) => [project.id, describeProject(project)]));
}
