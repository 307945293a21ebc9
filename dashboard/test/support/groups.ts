import type { Page } from 'playwright-core';
import type { TestService, TestUser } from './browser.ts';
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

/** Signs up a user with a project whose events are stored. */
export async function signUpWith(service: TestService, events: EventBody[], name = 'Shop') {
  const user = await service.signUp();
  const project = await user.createProject(name);
  const send = async (more: EventBody[]) => {
    await expectStatus(202, project.ingest.post('/ingest/bulk', more));
    await service.settled();
  };
  await send(events);
  return { user, project, send };
}

/** Returns the id of the group whose title holds a text. */
export async function groupOf(user: TestUser, text: string): Promise<string> {
  const { body } = await user.api.get('/groups');
  return String(body.find(({ title }: { title: string }) => title.includes(text)).id);
}

export const rowsOf = (page: Page) =>
  page.getByRole('list', { name: 'Groups', exact: true }).getByRole('listitem');
export const rowOf = (page: Page, text: string) => rowsOf(page).filter({ hasText: text });
export const titlesOf = (page: Page) => rowsOf(page).getByRole('link').allInnerTexts();
