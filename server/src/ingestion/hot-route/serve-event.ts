import { type FrontDoor, toLines } from '../../http/front-door.ts';
import { DEFAULT_HEADERS } from '../../http/http-app.ts';
import { parseStrictJson } from '../../platform/json/strict-json.ts';
import type { KeyedQueue } from '../../platform/keyed-queue.ts';
import type { KeyAuthentication } from '../authentication/authenticate.ts';
import { readCustomEvent } from '../mappers/custom-event.ts';
import { acceptLimited, type LimitedDependencies } from '../quotas/accept-limited.ts';
import { observeHotRoute } from '../requests/observe-requests.ts';
import type { RequestCounts } from '../requests/request-counts.ts';
import type { HotConnection, PlainEvent } from './connection.ts';
import { serveConnections } from './connections.ts';
import { EventTask } from './event-task.ts';
import { ROUTE } from './read-head.ts';

const ACCEPTED_HEADERS = toLines({ ...DEFAULT_HEADERS, 'content-type': 'application/json; charset=utf-8' });

const exchangeOf = (connection: HotConnection) => ({ connection, method: 'POST', route: ROUTE });

export interface HotRouteDependencies extends LimitedDependencies {
  authentication: KeyAuthentication;
  events: KeyedQueue;
  monotonicMs: () => number;
  requests: RequestCounts;
}

/**
 * The hot route. The way from the socket through `node:http` and the framework to a handler and back takes longer
 * than the event itself, so a plain event is read from the socket here, and answered by the same functions as in the
 * framework's route and with the same bytes. Every other request is theirs.
 */
export function createHotRoute(dependencies: HotRouteDependencies): FrontDoor {
  const { authentication, clock, events, monotonicMs } = dependencies;
  const observed = observeHotRoute(dependencies.requests);

  return (server, answers) => {
    /** Last steps of an event: shape, event, commit, 202. */
    const accept = async (event: PlainEvent) => {
      const { connection, owner, body } = event;
      const receivedAtMs = clock.now();
      const observation = readCustomEvent(parseStrictJson(body), receivedAtMs);
      const sender = { owner, connection };
      // The commit also asks if the key is still valid.
      const accepted = await acceptLimited(dependencies, sender, observation, {
        receivedAtMs,
        claimKey: null,
      });
      observed.accept(event);
      answers.accept(exchangeOf(connection), ACCEPTED_HEADERS, JSON.stringify(accepted));
    };
    /** 401 comes before every other refusal. */
    const refuse = async ({ connection, owner, key }: PlainEvent, error: unknown) => {
      const head = connection.headText;
      const refusal = await authentication.requireOwner(key).then(
        () => error,
        (reason: unknown) => reason,
      );
      const requestId = answers.refuse(exchangeOf(connection), refusal);
      observed.refuse({ owner, key, head }, refusal, requestId);
    };
    /**
     * The first step, the key, was done with the head. An event enters the queue once its body is here: a slow sender
     * holds no slot.
     */
    const path = { events, monotonicMs, accept, refuse };
    const serve = (event: PlainEvent) => events.enter(new EventTask(event, path));
    serveConnections(server, { authentication, monotonicMs, serve });
  };
}
