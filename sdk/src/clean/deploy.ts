import { environmentOf, optionalText, timeWithin } from './event.ts';
import { MAX_DEPLOY_BEHIND_MS, MAX_RELEASE_LENGTH } from './limits.ts';
import { read } from './read.ts';

/** Returns the release of a deploy; undefined if none can be read, since it has no default. */
export function deployRelease(options: unknown): string | undefined {
  return optionalText(read(options, 'release'), MAX_RELEASE_LENGTH);
}

/** Returns the body of `POST /ingest/deploys`, without the time. */
export function deployJson(options: unknown, environment?: string): string {
  return JSON.stringify({
    release: deployRelease(options),
    environment: environmentOf(options, environment),
  });
}

/** Returns the time of a deploy in milliseconds since the epoch; undefined if none was given that the server accepts. */
export function deployTimeMs(options: unknown, nowMs: number): number | undefined {
  return timeWithin(read(options, 'at'), nowMs, MAX_DEPLOY_BEHIND_MS);
}
