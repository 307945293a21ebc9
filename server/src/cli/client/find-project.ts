import { CommandError } from '../../platform/command-error.ts';
import type { Connection } from './connection.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { type Fields, readList } from './request.ts';
import { toLine } from './text.ts';

const MAX_PROJECTS = 10_000;

/**
 * Finds the id of a project by its id or its name.
 * @throws CommandError if there is none, or several of that name
 */
export async function findProjectId(
  connection: Connection,
  text: string | undefined,
): Promise<string | undefined> {
  if (text === undefined || /^proj_[0-9a-z]{26}$/.test(text)) return text;
  const projects = await listProjects(connection);
  const named = projects.filter(({ name }) => name === text);
  const [project] = named;
  if (project && named.length === 1) return String(project['id']);
  if (project) {
    const choices = named.map(({ id, environment }) => `${toLine(id)} (${toLine(environment)})`).join(', ');
    throw new CommandError(`Several projects are named ${toLine(text)}: ${choices}. Use the id.`);
  }
  throw new CommandError(`There is no project ${toLine(text)}.`, { exitCode: EXIT_CODES.notFound });
}

/** The names of projects by their ids, for lists. */
export async function readProjectNames(connection: Connection): Promise<Map<string, string>> {
  const projects = await listProjects(connection);
  return new Map(projects.map(({ id, name, environment }) => [String(id), nameOf(name, environment)]));
}

function nameOf(name: unknown, environment: unknown): string {
  return environment === 'production' ? toLine(name) : `${toLine(name)} (${toLine(environment)})`;
}

async function listProjects(connection: Connection): Promise<Fields[]> {
  return (await readList(connection, { path: '/projects', limit: MAX_PROJECTS })).rows;
}
