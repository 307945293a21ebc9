import type { Page } from 'playwright-core';
import type { TestProject, TestService, TestUser, VisitOptions } from './browser.ts';
import { sendBurst } from './burst.ts';
import { visitProjects } from './projects.ts';
import { expectStatus } from './seed.ts';

const HOUR_MS = 3_600_000;

/** Opens one document for a file: each test looks at the incident of a burst in a new project in it. */
export async function visitBursts(service: TestService, count: number, options?: VisitOptions) {
  const { nextProject, show, ...visited } = await visitProjects(service, count, options);
  const { user } = visited;
  const incidentsOf = async ({ id }: TestProject) =>
    (await user.api.get(`/incidents?project_id=${id}&status=open`)).body as { id: string }[];
  /** Opens an incident by a burst in a new project. */
  const burst = async () => {
    const project = nextProject();
    await sendBurst(project.ingest);
    await service.settled();
    const [incident] = await incidentsOf(project);
    const incidentId = incident?.id ?? '';
    return { project, incidentId, showIncident: (id = incidentId) => show(`/incidents/${id}`) };
  };
  return { ...visited, nextProject, incidentsOf, burst };
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
