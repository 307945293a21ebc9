import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpApp } from '../http/http-app.ts';

/** Addresses of ingestion. A number of a project begins with 1: below `/api/0/` is the management API. */
const INGESTION_ADDRESS = /^\/(?:(?:ingest|ping|hooks|t|v1)\/|batch(?:[/?]|$)|api\/(?:push\/|[1-9]))/;

/** True for an address that applications send to, as opposed to those that both services have, such as `/healthz`. */
export function isIngestionAddress(url: string): boolean {
  return INGESTION_ADDRESS.test(url);
}

/** Returns what passes the requests of applications on to ingestion, in the same process and without a connection. */
export function passOnTo(
  ingestion: HttpApp,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  return (request, response) =>
    isIngestionAddress(request.url ?? '') && ingestion.server.emit('request', request, response);
}
