import type { HttpApp } from '../http/http-app.ts';
import { ApiError } from '../platform/errors.ts';

/** Addresses of PostHog's clients, whose key is in the body. */
const POSTHOG = ['/batch', '/batch/'];

/** Registers the addresses of clients whose data is not taken: they say so, before a body is read. */
export function registerUntakenRoutes(app: HttpApp): void {
  const refuse = async () => {
    throw new ApiError(
      'not_found',
      'Events of PostHog are not taken: send errors by a client of Sentry, OpenTelemetry or Tocsin’s SDK.',
    );
  };
  for (const url of POSTHOG) app.post(url, { schema: { hide: true }, onRequest: refuse }, refuse);
}
