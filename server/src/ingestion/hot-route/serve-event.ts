import { DEFAULT_HEADERS } from '../../http/default-headers.ts';
import { type FrontDoor, toLines } from '../../http/front-door.ts';
import { parseStrictJson } from '../../platform/strict-json.ts';
import type { KeyAuthentication } from '../authentication/authenticate.ts';
import { type AcceptDependencies, acceptObservation } from '../intake/accept.ts';
import type { RequestTurns } from '../intake/request-turns.ts';
import { readCustomEvent } from '../mappers/custom-event.ts';
import type { HotConnection, PlainEvent } from './connection.ts';
import { serveConnections } from './connections.ts';
import { ROUTE } from './read-head.ts';

const ACCEPTED_HEADERS = toLines({ ...DEFAULT_HEADERS, 'content-type': 'application/json; charset=utf-8' });

const exchangeOf = (connection: HotConnection) => ({ connection, method: 'POST', route: ROUTE });

export interface HotRouteDependencies extends AcceptDependencies {
  authentication: KeyAuthentication;
  turns: RequestTurns;
  monotonicMs: () => number;
}

/**
 * The hot route. The way from the socket through `node:http` and the framework to a handler and back takes more than half of
 * the time of an event, so a plain event is read from the socket here, and answered by the functions that the framework's
 * route uses too and with the same bytes. Every other request is theirs.
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
    /** The first step, the key, was taken with the head. A project has its turn once the body is here: a slow sender holds none. */
    const serve = async (event: PlainEvent) => {
      const { connection, owner, key, body } = event;
      try {
        await turns.take(owner.projectId, { connection, bytes: body.length }, () => accept(event));
      } catch (error) {
        // 401 comes before every other refusal.
        const refusal = await authentication.requireOwner(key).then(
          () => error,
          (reason: unknown) => reason,
        );
        answers.refuse(exchangeOf(connection), refusal);
      }
    };
    serveConnections(server, { authentication, monotonicMs, serve: (event) => void serve(event) });
  };
}
