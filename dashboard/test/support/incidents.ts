import type { Page } from 'playwright-core';
import type { TestService, TestUser } from './browser.ts';
import { sendBurst } from './burst.ts';
import { expectStatus } from './seed.ts';

const HOUR_MS = 3_600_000;

/** Signs up a user with a project in which a burst of critical events has opened an incident. */
export async function signUpWithBurst(service: TestService) {
  const user = await service.signUp();
  const project = await user.createProject();
  await sendBurst(project.ingest);
  await service.settled();
  const { body } = await user.api.get('/incidents');
  return { user, project, incidentId: String(body[0].id) };
}

/** Signs up a user with an incident: a new release whose checkouts fail for some users. */
export async function signUpWithBadRelease(service: TestService) {
  const user = await service.signUp('Ada Lovelace');
  const project = await user.createProject();
  const nowMs = service.context.clock.now();
  const orders = Array.from({ length: 20 }, (_, index) => ({
    type: 'order',
    severity: 'INFO',
    message: `Order ${index} was placed`,
    source: 'shop',
    release: '4.18.0',
    capturedAt: new Date(nowMs - HOUR_MS + index * 1_000).toISOString(),
  }));
  await expectStatus(202, project.ingest.post('/ingest/bulk', orders));
  await service.settled();
  const failures = Array.from({ length: 40 }, (_, index) => ({
    type: 'checkout',
    severity: 'CRITICAL',
    message: `Card was declined for order ${index}`,
    source: 'shop',
    release: '4.18.1',
    correlation: { user_id: `usr_${index % 8}` },
    capturedAt: new Date(nowMs - 40 + index).toISOString(),
  }));
  await expectStatus(202, project.ingest.post('/ingest/bulk', failures));
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
