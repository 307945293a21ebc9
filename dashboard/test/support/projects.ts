import { type TestProject, type TestService, type VisitOptions, visit } from './browser.ts';
import { whenRead } from './navigate.ts';

/** Opens one document for a file: each test looks at a new project of its user in it. */
export async function visitProjects(service: TestService, count: number, options?: VisitOptions) {
  const user = await service.signUp();
  // All of them at first: a document reads the list of projects only once in a while.
  const unused: TestProject[] = [];
  for (let made = 0; made < count; made++) unused.push(await user.createProject('Shop'));
  const visited = await visit(service, user, options);
  const nextProject = (): TestProject => {
    const project = unused.shift();
    if (!project) throw new Error(`All ${count} projects are used.`);
    return project;
  };
  /**
   * Opens a page as a link does, with the pointer where it is over nothing: a list holds its rows under it. Waits until it has
   * read, since a list keeps the rows of the project before until then.
   */
  const show = async (path: string): Promise<void> => {
    await visited.page.mouse.move(0, 0);
    await whenRead(visited.page, () => visited.go(path));
  };
  return { ...visited, user, nextProject, show };
}
