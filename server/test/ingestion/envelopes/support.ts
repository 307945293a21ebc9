import { randomUUID } from 'node:crypto';
import { type Answer, ApiClient } from '../../support/client.ts';
import type { TestProject, TestService, TestUser } from '../../support/service.ts';
import { waitFor } from '../../support/wait.ts';

export type Item = [headers: Record<string, unknown>, payload: unknown];

/** Returns an envelope as a client writes it: headers, then each item as a line of headers and a payload. */
export function envelopeOf(headers: Record<string, unknown>, ...items: Item[]): string {
  const lines = items.flatMap(([item, payload]) => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    return [JSON.stringify(item), text];
  });
  return [JSON.stringify(headers), ...lines, ''].join('\n');
}

export const newEventId = () => randomUUID().replaceAll('-', '');

/** A project as a client of Sentry sees it. */
export interface DsnProject extends TestProject {
  number: number;
  /** Sends a body to `/api/{number}/{endpoint}/` with the key in the query, as JavaScript clients do. */
  send: (endpoint: string, body: string | Uint8Array, headers?: Record<string, string>) => Promise<Answer>;
  /** Sends one item in an envelope of its own. */
  sendItem: (type: string, payload: unknown, headers?: Record<string, unknown>) => Promise<Answer>;
  /** Waits until so many events are stored, and returns them, the newest first. */
  events: (count: number) => Promise<Answer['body'][]>;
}

export async function createDsnProject(service: TestService, user: TestUser): Promise<DsnProject> {
  const project = await user.createProject();
  const { number } = (await user.api.get(`/projects/${project.id}`)).body;
  const client = new ApiClient(service.ingestionUrl);
  const send: DsnProject['send'] = (endpoint, body, headers = {}) =>
    client.post(`/api/${number}/${endpoint}/?sentry_version=7&sentry_key=${project.apiKey}`, body, {
      headers,
    });
  return {
    ...project,
    number,
    send,
    sendItem: (type, payload, headers = {}) => send('envelope', envelopeOf(headers, [{ type }, payload])),
    events: (count) =>
      waitFor(`${count} events`, async () => {
        const { body } = await user.api.get(`/events?project_id=${project.id}`);
        if (body.length > count) throw new Error(`There are ${body.length} events.`);
        if (body.length < count) return null;
        return Promise.all(
          body.map(async ({ id }: { id: string }) => (await user.api.get(`/events/${id}`)).body),
        );
      }),
  };
}
