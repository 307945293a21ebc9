import type { Page } from 'playwright-core';
import type { TestService, TestUser } from './browser.ts';
import { sendBurst } from './burst.ts';
import { expectStatus } from './seed.ts';

/** Signs up a user with a project in which a burst of critical events has opened an incident. */
export async function signUpWithBurst(service: TestService) {
  const user = await service.signUp();
  const project = await user.createProject();
  await sendBurst(project.ingest);
  await service.settled();
  const { body } = await user.api.get('/incidents');
  return { user, project, incidentId: String(body[0].id) };
}

/** @returns the id of an incident that a user created */
export async function createByHand(user: TestUser, projectId: string, title: string): Promise<string> {
  const body = { title, severity: 'warn', projectId };
  const created = await expectStatus(201, user.api.post('/incidents', body));
  return String(created.body.id);
}

export const rowsOf = (page: Page) => page.getByRole('list', { name: 'Incidents' }).getByRole('listitem');
