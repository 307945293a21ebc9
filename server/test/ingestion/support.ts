import type { Answer } from '../support/client.ts';
import type { TestUser } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

/** Returns a minimal custom event with the given changes. */
export function anEvent(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { type: 'checkout', severity: 'INFO', message: 'Paid', ...changes };
}

export function eventIdOf(answer: Answer): string {
  if (answer.status !== 202)
    throw new Error(`It was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.jobId.replace('job_', 'evt_');
}

/** Reads the event of an answer once it is stored. Does not wait for the risk loop, which is slower. */
export async function storedEvent(user: TestUser, answer: Answer): Promise<Answer['body']> {
  const id = eventIdOf(answer);
  return waitFor(`${id} to be stored`, async () => {
    const { status, body } = await user.api.get(`/events/${id}`);
    return status === 200 && body;
  });
}

/**
 * Returns the counts beside the events of a project once they add up to a quantity. They are written periodically, perhaps
 * between two requests.
 * @param wake begins the next write now
 */
export async function unstoredOf(
  wake: () => void,
  { api }: TestUser,
  projectId: string,
  quantity: number,
): Promise<Answer['body']> {
  return waitFor('counts beside events', async () => {
    wake();
    const { unstored } = (await api.get(`/projects/${projectId}/ledger`)).body;
    const sum = unstored.reduce((all: number, line: { quantity: number }) => all + line.quantity, 0);
    return sum >= quantity && unstored;
  });
}
