import type { Static } from 'typebox';
import type { ServerErrorBody } from '../event/schema.ts';
import { parseStackFrames } from '../event/stack-frames.ts';
import type { Observation } from '../event/to-event.ts';

/** Converts a server error: status 500 and above is an error, the rest a warning. */
export function fromServerError(body: Static<typeof ServerErrorBody>): Observation {
  const { status_code, path, method, stack = null, correlation } = body;
  const frames = stack === null ? [] : parseStackFrames(stack);
  const service = correlation && Object.hasOwn(correlation, 'service') ? correlation.service : undefined;
  return {
    type: 'server_error',
    severity: status_code >= 500 ? 'error' : 'warn',
    source: typeof service === 'string' && service !== '' ? service : 'server',
    message: body.error_message,
    payload: { status_code, path, method, stack, frames },
    correlation,
    release: body.release,
    environment: body.environment,
    fingerprint: body.fingerprint,
    statusCode: status_code,
    stack,
  };
}
