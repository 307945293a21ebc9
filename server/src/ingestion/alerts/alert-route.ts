import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AlertOrigin } from '../../alerts/notice.ts';
import type { Pool } from '../../database/database.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { type Route, registerRoutes, routesOf } from '../../http/route.ts';
import { newUuid } from '../../platform/ids.ts';
import type { KeyedQueue } from '../../platform/keyed-queue.ts';
import { isoTime } from '../../platform/time.ts';
import { findClaims } from '../../queue/queries.ts';
import type { QueuedAlerts } from '../../queue/queue.ts';
import { type KeyAuthentication, keyOwnerOf } from '../authentication/authenticate.ts';
import { type AcceptDependencies, acceptEvents, acceptObservation } from '../intake/accept.ts';
import { alertClaimKey } from '../intake/idempotency.ts';
import { readLargeBody } from '../intake/large-bodies.ts';
import { MAX_BULK_BYTES } from '../intake/limits.ts';
import { type Alert, type Notification, readNotification } from './read-notification.ts';
import { AcceptedNotification, AnyNotification } from './schema.ts';
import { toNotice, toObservation } from './to-observation.ts';

export interface AlertDependencies extends AcceptDependencies {
  pool: Pool;
  authentication: KeyAuthentication;
  /** Slots for the work on large bodies. */
  bodies: KeyedQueue;
}

/** Alerts that wait for a commit at the same time. */
const MAX_AT_ONCE = 64;

const route = routesOf<AlertDependencies>('Ingestion');

/**
 * Declares the address of one sender, with and without a slash at its end: Alertmanager follows a redirect with a GET, and
 * takes its answer for a delivery.
 */
function receive(origin: AlertOrigin, methods: ('post' | 'put')[]): Route<AlertDependencies>[] {
  const endpoint = {
    summary: `Notify of alerts of ${origin === 'grafana' ? 'Grafana' : 'Alertmanager'}`,
    description:
      'The key may come as bearer token or as the password of HTTP Basic as well. An alert is one event when it fires and one when it is over; repeats store nothing.',
    config: { takesAuthorization: true } as const,
    // Checked by the reader, in words for the log of the sender.
    body: AnyNotification,
    answer: AcceptedNotification,
    status: 202 as const,
    handle: async (request: FastifyRequest, dependencies: AlertDependencies, reply: FastifyReply) => {
      const { bodies } = dependencies;
      const notification = await readLargeBody(bodies, request, reply, (bytes) =>
        readNotification(origin, bytes),
      );
      return acceptNotification(dependencies, request, notification);
    },
  };
  return methods.flatMap((method) => [
    route[method](`/ingest/${origin}`, endpoint),
    route[method](`/ingest/${origin}/`, { ...endpoint, hide: true }),
  ]);
}

const routes = [...receive('alertmanager', ['post']), ...receive('grafana', ['post', 'put'])];

/** In a scope of its own: the larger an outage, the larger is the notification of its alerts. */
export function registerAlertRoutes(app: HttpApp, dependencies: AlertDependencies): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    /^application\/json(?:\s*;|$)/i,
    { parseAs: 'buffer', bodyLimit: MAX_BULK_BYTES },
    (_request, bytes, done) => done(null, bytes),
  );
  registerRoutes(app, routes, dependencies);
}

/** Makes the alerts of a notification durable that are not known as they are. */
async function acceptNotification(
  dependencies: AlertDependencies,
  request: FastifyRequest,
  notification: Notification,
) {
  const { clock, authentication } = dependencies;
  const receivedAtMs = clock.now();
  const owner = keyOwnerOf(request);
  const unknown = await listUnknown(dependencies.pool, owner.projectId, notification);
  const sender = { owner, connection: request.raw.socket };
  for (let first = 0; first < unknown.length; first += MAX_AT_ONCE) {
    const alerts = unknown.slice(first, first + MAX_AT_ONCE);
    await Promise.all(
      alerts.map(([claimKey, alert]) =>
        acceptObservation(dependencies, sender, toObservation(notification, alert, receivedAtMs), {
          receivedAtMs,
          claimKey,
        }),
      ),
    );
  }
  const alerts = toNotice(notification, dependencies.scrubSettingsOf(owner.projectId));
  if (alerts) {
    const queued: QueuedAlerts = {
      id: newUuid(receivedAtMs),
      projectId: owner.projectId,
      receivedAt: isoTime(receivedAtMs),
      alerts,
    };
    // Each notification, since a repeat says that the alerts still fire.
    await acceptEvents(dependencies, sender, [JSON.stringify(queued)], null);
  } else if (unknown.length === 0) await authentication.requireValidKey(request);
  const repeats = notification.alerts.length - unknown.length;
  return { status: 'queued' as const, events: unknown.length, repeats };
}

/** Lists the alerts that no earlier notification held in their present status, each by the key of its claim. */
async function listUnknown(
  pool: Pool,
  projectId: string,
  { alerts }: Notification,
): Promise<[claimKey: string, alert: Alert][]> {
  const byKey = new Map(
    alerts.map((alert) => [
      alertClaimKey(alert.fingerprint, alert.body.status, String(alert.startsAtMs)),
      alert,
    ]),
  );
  const claims = [...byKey.keys()].map((key) => ({ projectId, key }));
  for (const { key } of await findClaims(pool, claims)) byKey.delete(key);
  return [...byKey];
}
