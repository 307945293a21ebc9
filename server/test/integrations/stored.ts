import type { Answer } from '../support/client.ts';
import type { TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

/** Reads the events of a project, in the order of their messages, once there are so many. */
export async function storedEvents(
  user: TestUser,
  projectId: string,
  count: number,
): Promise<Answer['body'][]> {
  return waitFor(`${count} events to be stored`, async () => {
    const { body } = await user.api.get(`/events?project_id=${projectId}`);
    if (body.length < count) return null;
    const whole = await Promise.all(
      body.map(async ({ id }: { id: string }) => (await user.api.get(`/events/${id}`)).body),
    );
    return whole.toSorted(byMessage);
  });
}

/** Reads the deploys of a project once there are so many. */
export async function storedDeploys(
  user: TestUser,
  projectId: string,
  count: number,
): Promise<Answer['body'][]> {
  return waitFor(`${count} deploys to be stored`, async () => {
    const { body } = await user.api.get(`/projects/${projectId}/deploys`);
    return body.length < count ? null : body;
  });
}

/** Compares by message: events of one millisecond have no order. */
export function byMessage(one: { message?: unknown }, other: { message?: unknown }): number {
  return String(one.message) < String(other.message) ? -1 : 1;
}
