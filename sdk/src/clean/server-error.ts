import { cleanCorrelation } from './correlation.ts';
import { describe } from './describe.ts';
import { errorMessage, errorStack } from './error.ts';
import { environmentOf, optionalText } from './event.ts';
import { cleanFingerprint } from './fingerprint.ts';
import { MAX_METHOD_LENGTH, MAX_PATH_LENGTH, MAX_RELEASE_LENGTH } from './limits.ts';
import { read } from './read.ts';

/** Returns the body of `POST /ingest/server-error`. Without a context it is a 500 with empty path and method. */
export function serverErrorJson(error: unknown, context: unknown, environment?: string): string {
  return JSON.stringify({
    status_code: statusCode(read(context, 'status_code')),
    path: describe(read(context, 'path') ?? '', MAX_PATH_LENGTH),
    method: describe(read(context, 'method') ?? '', MAX_METHOD_LENGTH),
    error_message: errorMessage(error),
    stack: errorStack(error),
    correlation: cleanCorrelation(read(context, 'correlation')),
    release: optionalText(read(context, 'release'), MAX_RELEASE_LENGTH),
    environment: environmentOf(context, environment),
    fingerprint: cleanFingerprint(read(context, 'fingerprint')),
  });
}

function statusCode(given: unknown): number {
  const status = typeof given === 'string' ? Number(given) : given;
  return typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599
    ? status
    : 500;
}
