import type { Page } from 'playwright-core';
import type { ApiClient } from '../../../server/test/support/client.ts';
import type { TestService, TestUser, VisitOptions } from './browser.ts';
import { visitProjects } from './projects.ts';

export interface SentEvent {
  type?: string;
  severity?: 'INFO' | 'WARN' | 'ERROR' | 'CRITICAL';
  message: string;
  source?: string;
  correlation?: Record<string, string>;
  payload?: Record<string, unknown>;
  capturedAt?: string;
}

/** Creates an organization with one project and some events, the first of which is the newest. */
export async function userWith(
  service: TestService,
  events: SentEvent[],
): Promise<{ user: TestUser; ingest: ApiClient; projectId: string }> {
  const user = await service.signUp();
  const { ingest, id: projectId } = await user.createProject('Shop');
  await send(service, ingest, inOrder(service, events));
  return { user, ingest, projectId };
}

/** Adds times to events: the first one is the newest. */
function inOrder(service: TestService, events: SentEvent[]): SentEvent[] {
  const nowMs = service.context.clock.now();
  return events.map((event, index) => ({
    capturedAt: new Date(nowMs - 10_000 - index).toISOString(),
    ...event,
  }));
}

/** Opens one document for a file: each test looks at the events of a new project in it. */
export async function visitEvents(service: TestService, count: number, options?: VisitOptions) {
  const { nextProject, show, ...visited } = await visitProjects(service, count, options);
  /** Stores events in a new project. */
  const projectWith = async (events: SentEvent[]) => {
    const project = nextProject();
    await send(service, project.ingest, inOrder(service, events));
    return { ...project, show: (search = '') => show(`/events?project=${project.id}${search}`) };
  };
  return { ...visited, projectWith };
}

export async function send(service: TestService, ingest: ApiClient, events: SentEvent[]): Promise<void> {
  for (let start = 0; start < events.length; start += 5_000) {
    const bulk = events
      .slice(start, start + 5_000)
      .map((event) => ({ type: 'checkout', severity: 'INFO', ...event }));
    const { status } = await ingest.post('/ingest/bulk', bulk);
    if (status !== 202) throw new Error(`The bulk was answered ${status}.`);
  }
  await service.settled();
}

export const grid = (page: Page) => page.getByRole('grid', { name: 'Events' });
export const row = (page: Page, text: string) => grid(page).getByRole('row').filter({ hasText: text });
export const panel = (page: Page) => page.getByRole('region', { name: 'Event', exact: true });
export const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
export const messages = (page: Page) =>
  grid(page).getByRole('row').locator('[role=gridcell]:nth-child(2)').allInnerTexts();

export const ORDERS: SentEvent[] = [
  { message: 'Order 1 was paid', source: 'api', correlation: { order_id: 'ord_1' } },
  { message: 'Order 2 was declined', severity: 'ERROR', source: 'api', correlation: { order_id: 'ord_2' } },
  { message: 'Mail was sent', type: 'mail', source: 'mailer', correlation: { order_id: 'ord_1' } },
  { message: 'Disk is full', type: 'disk', severity: 'CRITICAL' },
];
