import { unavailable } from './unavailable.ts';

export interface FairQueueOptions {
  /** How much work runs at a time. */
  maxRunning: number;
  /** How much running and waiting work of one client keeps its place in the order of arrival. */
  maxInOrder: number;
  /** Waiting places, of all clients together. */
  maxWaiting: number;
  /** Share of the waiting places that only known clients get. */
  reservedWaiting: number;
  maxWaitMs: number;
  /** The sentence for work that gets no place, or waits too long. */
  refusal: string;
}

interface Job {
  client: Client;
  begin: () => void;
  refuse: () => void;
  timer: NodeJS.Timeout | null;
}

interface Client {
  name: string;
  isKnown: boolean;
  /** Jobs that run or wait in the common line: at most `maxInOrder`. */
  inOrder: number;
  /** Jobs that have no place in the common line yet. */
  later: Job[];
  waiting: number;
}

/**
 * Runs a bounded amount of work at a time and queues the rest, fairly between clients: only a client's first few
 * jobs stand in the common line, each further one enters it when one of them is done. Where all waiting places
 * are taken, the newest job of the client with the most waiting jobs is refused, so that no client can take
 * the places of others; alone, a client may use all of them. Any number of clients that are not known leave the reserved places
 * to those that are.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #clients = new Map<string, Client>();
  readonly #line: Job[] = [];
  #running = 0;
  #waiting = 0;
  #unknownWaiting = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /**
   * Resolves or rejects as the work does.
   * @param client known or not by its name: always the same
   * @throws ApiError `unavailable` where the work gets no place or waits too long; it was not begun then
   */
  run<T>({ name, isKnown }: { name: string; isKnown: boolean }, work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const client = this.#clientOf(name, isKnown);
      const job: Job = {
        client,
        timer: null,
        begin: () => {
          this.#running++;
          // What throws at once is a rejection as well.
          void Promise.resolve()
            .then(work)
            .then(resolve, reject)
            .finally(() => {
              this.#running--;
              this.#leaveLine(client);
              this.#beginNext();
            });
        },
        refuse: () => reject(unavailable(this.#options.refusal, { retryAfterSeconds: 1 })),
      };
      this.#enter(job);
    });
  }

  #enter(job: Job): void {
    const { client } = job;
    this.#countWaiting(client, 1);
    if (client.inOrder < this.#options.maxInOrder) {
      client.inOrder++;
      this.#line.push(job);
    } else {
      client.later.push(job);
    }
    job.timer = setTimeout(() => this.#refuse(job), this.#options.maxWaitMs);
    this.#beginNext();
    const { maxWaiting, reservedWaiting } = this.#options;
    if (!client.isKnown && this.#unknownWaiting > maxWaiting - reservedWaiting)
      this.#refuse(this.#newestOfLongest(job, (other) => !other.isKnown));
    else if (this.#waiting > maxWaiting) this.#refuse(this.#newestOfLongest(job, () => true));
  }

  #beginNext(): void {
    while (this.#running < this.#options.maxRunning) {
      const job = this.#line.shift();
      if (!job) return;
      this.#stopWaiting(job);
      job.begin();
    }
  }

  #refuse(job: Job): void {
    const { later } = job.client;
    const place = later.indexOf(job);
    this.#stopWaiting(job);
    if (place === -1) {
      this.#line.splice(this.#line.indexOf(job), 1);
      this.#leaveLine(job.client);
    } else {
      later.splice(place, 1);
    }
    job.refuse();
  }

  #stopWaiting(job: Job): void {
    if (job.timer) clearTimeout(job.timer);
    this.#countWaiting(job.client, -1);
  }

  #countWaiting(client: Client, change: 1 | -1): void {
    client.waiting += change;
    this.#waiting += change;
    if (!client.isKnown) this.#unknownWaiting += change;
  }

  /** A job of the client left the common line, which makes room for its next one. */
  #leaveLine(client: Client): void {
    client.inOrder--;
    const next = client.later.shift();
    if (next) {
      client.inOrder++;
      this.#line.push(next);
    } else if (client.inOrder === 0) {
      this.#clients.delete(client.name);
    }
  }

  /** Among equals the newcomer goes. */
  #newestOfLongest(newcomer: Job, isAmong: (client: Client) => boolean): Job {
    let longest = newcomer.client;
    for (const client of this.#clients.values())
      if (isAmong(client) && client.waiting > longest.waiting) longest = client;
    if (longest === newcomer.client) return newcomer;
    return longest.later.at(-1) ?? this.#line.findLast(({ client }) => client === longest) ?? newcomer;
  }

  #clientOf(name: string, isKnown: boolean): Client {
    const known = this.#clients.get(name);
    if (known) return known;
    const client: Client = { name, isKnown, inOrder: 0, later: [], waiting: 0 };
    this.#clients.set(name, client);
    return client;
  }
}
