import { optionalText, timeWithin } from './event.ts';
import { MAX_DEPLOY_BEHIND_MS, MAX_ENVIRONMENT_LENGTH, MAX_RELEASE_LENGTH } from './limits.ts';
import { read } from './read.ts';

/** The release of a deploy; undefined where none can be read: nothing stands for it. */
export function deployRelease(options: unknown): string | undefined {
  return optionalText(read(options, 'release'), MAX_RELEASE_LENGTH);
}

/** The body of `POST /ingest/deploys`, without the time. */
export function deployJson(options: unknown): string {
  return JSON.stringify({
    release: deployRelease(options),
    environment: optionalText(read(options, 'environment'), MAX_ENVIRONMENT_LENGTH),
  });
}

/** When it was deployed, in milliseconds since the epoch; undefined where none was given that the server would take. */
export function deployTimeMs(options: unknown, nowMs: number): number | undefined {
  return timeWithin(read(options, 'at'), nowMs, MAX_DEPLOY_BEHIND_MS);
}
