import { type TestProject, type TestService, type Visit, type VisitOptions, visit } from './browser.ts';

/** Opens a document for all tests of a file, each of which looks at a new project of its user there. */
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
  return { ...visited, user, nextProject };
}

/** Opens a page as a link does, with the pointer where it is over nothing: a list holds its rows under it. */
export async function show({ page, go }: Visit, path: string): Promise<void> {
  await page.mouse.move(0, 0);
  await go(path);
}
