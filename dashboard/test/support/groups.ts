import type { Page } from 'playwright-core';
import type { Group } from '../../src/lib/api-types.ts';
import type { TestService, VisitOptions } from './browser.ts';
import { visitProjects } from './projects.ts';
import { expectStatus } from './seed.ts';

type EventBody = Record<string, unknown>;

/** Returns an error event of a shop's checkout. */
export const anError = (message: string, more: EventBody = {}): EventBody => ({
  type: 'checkout',
  severity: 'ERROR',
  source: 'shop',
  message,
  ...more,
});

/** Opens one document for a file: each test looks at the groups of a new project in it. */
export async function visitGroups(service: TestService, count: number, options?: VisitOptions) {
  const { nextProject, show, ...visited } = await visitProjects(service, count, options);
  const { user } = visited;
  /** Stores events in a new project. */
  const projectWith = async (events: EventBody[]) => {
    const project = nextProject();
    const send = async (more: EventBody[]) => {
      await expectStatus(202, project.ingest.post('/ingest/bulk', more));
      await service.settled();
    };
    await send(events);
    const list = async (search = '') =>
      (await user.api.get(`/groups?project_id=${project.id}${search}`)).body as Group[];
    return {
      ...project,
      send,
      list,
      idOf: async (text: string) => (await list()).find(({ title }) => title.includes(text))?.id ?? '',
      show: (search = '') => show(`/groups?project=${project.id}${search}`),
      showGroup: (id: string) => show(`/groups/${id}`),
    };
  };
  return { ...visited, projectWith };
}

export const rowsOf = (page: Page) =>
  page.getByRole('list', { name: 'Groups', exact: true }).getByRole('listitem');
export const rowOf = (page: Page, text: string) => rowsOf(page).filter({ hasText: text });
export const titlesOf = (page: Page) => rowsOf(page).getByRole('link').allInnerTexts();
