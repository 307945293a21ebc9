import type { FastifyRequest } from 'fastify';
import { toApiError } from '../../http/error-handling.ts';
import type { HttpApp } from '../../http/http-app.ts';
import type { ApiError } from '../../platform/errors.ts';
import { SHOWN_LENGTH } from '../../tenancy/api-keys/key-format.ts';
import { type DescribableRequest, describeRefusal, describeRequest } from './describe-request.ts';
import { findNamedSender } from './named-sender.ts';
import { protocolOf } from './protocols.ts';
import type { Sender } from './queries.ts';
import type { RequestCounts } from './request-counts.ts';

const ACCEPTED = 202;
/** Refusals of requests whose key is not valid. */
const NOT_AUTHENTICATED = new Set(['invalid_api_key', 'invalid_dsn']);

/** Counts each request to ingestion that the framework has answered. */
export function observeRequests(app: HttpApp, requests: RequestCounts): void {
  app.addHook('onResponse', (request, { statusCode }, done) => {
    noteAnswer(requests, request, statusCode);
    done();
  });
}

function noteAnswer(requests: RequestCounts, request: FastifyRequest, status: number): void {
  const { url, method, refusal } = request;
  const path = url.split('?', 1)[0] ?? '';
  const protocol = protocolOf(path);
  // Questions for the status of a job and for the health of the service, and those of browsers before they send.
  if (method === 'OPTIONS' || path.startsWith('/ingest/jobs/') || (protocol === 'other' && !refusal)) return;
  const sender = senderOf(request) ?? findNamedSender(request);
  if (!sender) return;
  requests.note(sender, { protocol, reason: refusal?.code ?? null }, () => ({
    ...describeRequest(request),
    ...describeOutcome(status, refusal, request.id),
    keyPrefix: findNamedSender(request)?.prefix ?? null,
  }));
}

/** Returns the sender that the route has found; null: it has found none. */
function senderOf({ keyOwner, hook, refusal }: FastifyRequest): Sender | null {
  const isAuthenticated = !NOT_AUTHENTICATED.has(refusal?.code ?? '');
  if (hook) return { projectId: hook.projectId, keyId: hook.id, isAuthenticated };
  return keyOwner && { projectId: keyOwner.projectId, keyId: keyOwner.keyId, isAuthenticated };
}

function describeOutcome(status: number, refusal: ApiError | null, requestId: string) {
  return { status, detail: refusal && describeRefusal(refusal), requestId: refusal && requestId };
}

/** Plain event with a key that was looked up. */
interface PlainEvent {
  owner: { projectId: string; keyId: string };
  key: string;
}

interface RefusedEvent extends PlainEvent {
  /** Head of the request as it was sent. */
  head: string;
}

/** Counts plain events that the hot route has answered. */
export function observeHotRoute(requests: RequestCounts) {
  return {
    accept: ({ owner, key, connection }: PlainEvent & { connection: { headText: string } }) => {
      if (requests.addEvent(owner.keyId)) return;
      requests.noteEvent(owner, () => ({
        ...describeRequest(toRequest(connection.headText)),
        ...describeOutcome(ACCEPTED, null, ''),
        keyPrefix: key.slice(0, SHOWN_LENGTH),
      }));
    },
    refuse: ({ owner, key, head }: RefusedEvent, error: unknown, requestId: string) => {
      const refusal = toApiError(error);
      const { projectId, keyId } = owner;
      const isAuthenticated = !NOT_AUTHENTICATED.has(refusal.code);
      const outcome = { protocol: 'events', reason: refusal.code } as const;
      requests.note({ projectId, keyId, isAuthenticated }, outcome, () => ({
        ...describeRequest(toRequest(head)),
        ...describeOutcome(refusal.kind.status, refusal, requestId),
        keyPrefix: key.slice(0, SHOWN_LENGTH),
      }));
    },
  };
}

function toRequest(head: string): DescribableRequest {
  const [line = '', ...lines] = head.trimEnd().split('\r\n');
  const [method = '', url = ''] = line.split(' ');
  const headers = lines.map((text) => {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(text) ?? [];
    return [name.toLowerCase(), value];
  });
  return { method, url, headers: Object.fromEntries(headers) };
}
