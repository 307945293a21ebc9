import type { ProjectRecord } from './api-types.ts';

/**
 * A project as every page names it. Two projects may bear one name and differ in the environment alone, so that
 * stands beside the name; production, the usual one, goes without.
 */
export function describeProject({ name, environment }: Pick<ProjectRecord, 'name' | 'environment'>): string {
  return environment === 'production' ? name : `${name} · ${environment}`;
}

/** The names of projects by their ids, as `describeProject` gives them. */
export function nameProjects(projects: ProjectRecord[]): Map<string, string> {
  return new Map(projects.map((project) => [project.id, describeProject(project)]));
}
