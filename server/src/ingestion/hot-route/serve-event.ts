import { DEFAULT_HEADERS } from '../../http/default-headers.ts';
import { type FrontDoor, toLines } from '../../http/front-door.ts';
import { parseStrictJson } from '../../platform/strict-json.ts';
import type { KeyAuthentication } from '../authentication/authenticate.ts';
import { type AcceptDependencies, acceptObservation } from '../intake/accept.ts';
import type { RequestTurns, TurnRequest } from '../intake/request-turns.ts';
import { readCustomEvent } from '../mappers/custom-event.ts';
import type { HotConnection, PlainEvent } from './connection.ts';
import { serveConnections } from './connections.ts';
import { ROUTE } from './read-head.ts';

const ACCEPTED_HEADERS = toLines({ ...DEFAULT_HEADERS, 'content-type': 'application/json; charset=utf-8' });

/** `Buffer.from` copies longer ones into an allocation of their own again. */
const MAX_POOLED_BYTES = Buffer.poolSize / 2;

const exchangeOf = (connection: HotConnection) => ({ connection, method: 'POST', route: ROUTE });

export interface HotRouteDependencies extends AcceptDependencies {
  authentication: KeyAuthentication;
  turns: RequestTurns;
  monotonicMs: () => number;
}

/**
 * The hot route. The way from the socket through `node:http` and the framework to a handler and back takes longer than
 * the event itself, so a plain event is read from the socket here, and answered by the functions that the framework's route
 * uses too and with the same bytes. Every other request is theirs.
 */
export function createHotRoute(dependencies: HotRouteDependencies): FrontDoor {
  const { authentication, clock, monotonicMs, turns } = dependencies;

  return (server, answers) => {
    /** The last steps of an event: shape, event, commit, 202. */
    const accept = async ({ connection, owner, body }: PlainEvent) => {
      const receivedAtMs = clock.now();
      const observation = readCustomEvent(parseStrictJson(body), receivedAtMs);
      const sender = { owner, connection };
      // Asks whether the key is still valid, too.
      const accepted = await acceptObservation(dependencies, sender, observation, {
        receivedAtMs,
        claimKey: null,
      });
      answers.accept(exchangeOf(connection), ACCEPTED_HEADERS, JSON.stringify(accepted));
    };
    /** 401 comes before every other refusal. */
    const refuse = async ({ connection, key }: PlainEvent, error: unknown) => {
      const refusal = await authentication.requireOwner(key).then(
        () => error,
        (reason: unknown) => reason,
      );
      answers.refuse(exchangeOf(connection), refusal);
    };
    /** The first step, the key, was taken with the head. A project has its turn once the body is here: a slow sender holds none. */
    const steps: Steps = { accept, refuse: (event, error) => void refuse(event, error) };
    const serve = (event: PlainEvent) => turns.take(new EventTurn(event, steps));
    serveConnections(server, { authentication, monotonicMs, serve });
  };
}

interface Steps {
  accept: (event: PlainEvent) => Promise<void>;
  refuse: (event: PlainEvent, error: unknown) => void;
}

/** An event that takes its turn. A class, so that thousands that wait hold neither functions nor promises of their own. */
class EventTurn implements TurnRequest {
  readonly #event: PlainEvent;
  readonly #steps: Steps;
  #sinceMs = 0;

  constructor(event: PlainEvent, steps: Steps) {
    this.#event = event;
    this.#steps = steps;
  }

  get projectId(): string {
    return this.#event.owner.projectId;
  }

  get connection(): HotConnection {
    return this.#event.connection;
  }

  get bytes(): number {
    return this.#event.body.length;
  }

  get sinceMs(): number {
    return this.#sinceMs;
  }

  /** A small body moves into memory that it shares with others: what a socket reads is an allocation of its own. */
  hold(nowMs: number): void {
    this.#sinceMs = nowMs;
    const { body } = this.#event;
    if (body.length <= MAX_POOLED_BYTES) this.#event.body = Buffer.from(body);
  }

  work(): Promise<void> {
    return this.#steps.accept(this.#event);
  }

  refuse(error: unknown): void {
    this.#steps.refuse(this.#event, error);
  }
}
