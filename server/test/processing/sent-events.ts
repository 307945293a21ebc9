import { ApiClient } from '../support/client.ts';
import type { RunningProgram } from '../support/program.ts';

export interface SentEvent {
  type: string;
  severity: string;
  message: string;
  capturedAt?: string;
  correlation?: { user_id: string };
}

/** Account of what was sent to a project, as its clients know it. */
export class SentEvents {
  readonly projectId: string;
  readonly #apiKey: string;
  /** Number of events that were acknowledged, repeats included. */
  acknowledged = 0;
  /** Number of events in requests that got no answer: each was accepted, or not. */
  unanswered = 0;
  /** Number of events that were refused by a quota. */
  refused = 0;
  /** Events that were acknowledged, by their jobs. */
  readonly jobs = new Map<string, SentEvent>();
  readonly #jobsByKey = new Map<string, string>();
  /** Keys whose repeats were answered with another job. */
  readonly doubleKeys: string[] = [];

  constructor(project: { id: string; apiKey: string }) {
    this.projectId = project.id;
    this.#apiKey = project.apiKey;
  }

  /** Sends events as one body. @throws if the process is killed meanwhile */
  async send(program: RunningProgram, events: readonly SentEvent[], apiKey = this.#apiKey): Promise<void> {
    await this.#post(program, events, (ingest) => ingest.post('/ingest/bulk', events), apiKey);
  }

  /** Sends an event with an Idempotency-Key. @throws as `send` */
  async sendOnce(program: RunningProgram, event: SentEvent, key: string): Promise<void> {
    const headers = { 'idempotency-key': key };
    const [job] = await this.#post(program, [event], (ingest) =>
      ingest.post('/ingest/events', event, { headers }),
    );
    if (job === undefined) return;
    const first = this.#jobsByKey.get(key) ?? job;
    if (first !== job) this.doubleKeys.push(key);
    this.#jobsByKey.set(key, first);
  }

  /** @returns the jobs of what was acknowledged */
  async #post(
    { ingestionUrl }: RunningProgram,
    events: readonly SentEvent[],
    post: (ingest: ApiClient) => ReturnType<ApiClient['post']>,
    apiKey = this.#apiKey,
  ): Promise<string[]> {
    this.unanswered += events.length;
    const { status, body } = await post(new ApiClient(ingestionUrl, { 'x-api-key': apiKey }));
    // A revoked key and a quota refuse all; any other refusal leaves it open what was accepted.
    if (status !== 202 && status !== 401 && status !== 429) return [];
    this.unanswered -= events.length;
    const answers: { jobId?: string }[] = status === 202 ? [body].flat() : [];
    const jobs = answers.flatMap(({ jobId }) => jobId ?? []);
    if (status !== 401) this.refused += events.length - jobs.length;
    this.acknowledged += jobs.length;
    for (const [index, { jobId }] of answers.entries()) {
      const event = events[index];
      if (jobId !== undefined && event) this.jobs.set(jobId, event);
    }
    return jobs;
  }
}
