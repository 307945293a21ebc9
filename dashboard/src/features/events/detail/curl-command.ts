import type { Event } from '../../../lib/api-types.ts';

/** Placeholder for an API key: the page knows none. */
const KEY_PLACEHOLDER = 'YOUR_API_KEY';
/** Maximum length of a word in a command on Linux, with a margin. */
const MAX_WORD_LENGTH = 120_000;

/** Returns a command that sends an event again, with the present time, to the project of a given key. */
export function curlCommand(event: Event, ingestUrl: string): string {
  const { path, body } = toRequest(event);
  const json = escapeForTerminals(JSON.stringify(body));
  const words = [
    `curl ${shellQuote(`${ingestUrl.replace(/\/$/, '')}${path}`)}`,
    `-H ${shellQuote(`x-api-key: ${KEY_PLACEHOLDER}`)}`,
    `-H ${shellQuote('content-type: application/json')}`,
  ].join(' \\\n  ');
  if (json.length <= MAX_WORD_LENGTH) return `${words} \\\n  --data-raw ${shellQuote(json)}`;
  // A JSON text is one line, so it cannot hold the line that ends it.
  return `${words} \\\n  --data-binary @- <<'END_OF_EVENT'\n${json}\nEND_OF_EVENT`;
}

/** Quotes any text as one word of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Server errors have their own endpoint, which classifies them by their stack. Everything else becomes the same
 * event again as a custom one; a payment must, since its id would be recognised as a repeat.
 */
function toRequest(event: Event): { path: string; body: object } {
  const { type, severity, source, message, payload, correlation, release, environment } = event;
  const common = {
    ...(hasEntries(correlation) && { correlation }),
    ...(release !== null && { release }),
    environment,
  };
  const { status_code, path, method, stack } = payload;
  if (
    type === 'server_error' &&
    typeof status_code === 'number' &&
    typeof path === 'string' &&
    typeof method === 'string'
  ) {
    const body = {
      status_code,
      path,
      method,
      error_message: message,
      ...(typeof stack === 'string' && { stack }),
    };
    return { path: '/ingest/server-error', body: { ...body, ...common } };
  }
  const body = {
    type,
    severity: severity.toUpperCase(),
    message,
    ...(source !== null && { source }),
    ...(hasEntries(payload) && { payload }),
  };
  return { path: '/ingest/events', body: { ...body, ...common } };
}

function hasEntries(value: object): boolean {
  return Object.keys(value).length > 0;
}

/** Escapes the control characters that JSON does not, since a terminal may act upon them when they are pasted. */
function escapeForTerminals(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
