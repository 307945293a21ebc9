import type { Event } from '../../../lib/api-types.ts';

/** Where the reader puts a key: none is known to the page. */
const KEY_PLACEHOLDER = 'YOUR_API_KEY';
/** Linux takes no longer word in a command. */
const MAX_WORD_LENGTH = 120_000;

/** The command that sends an event once more, from now, to a project whose key it is given. */
export function curlCommand(event: Event, ingestUrl: string): string {
  const { path, body } = toRequest(event);
  const json = escapeForTerminals(JSON.stringify(body));
  const words = [
    `curl ${shellQuote(`${ingestUrl.replace(/\/$/, '')}${path}`)}`,
    `-H ${shellQuote(`x-api-key: ${KEY_PLACEHOLDER}`)}`,
    `-H ${shellQuote('content-type: application/json')}`,
  ].join(' \\\n  ');
  if (json.length <= MAX_WORD_LENGTH) return `${words} \\\n  --data-raw ${shellQuote(json)}`;
  // A JSON text is one line, so none of its lines can be the end of it.
  return `${words} \\\n  --data-binary @- <<'END_OF_EVENT'\n${json}\nEND_OF_EVENT`;
}

/** A text as one word of a POSIX shell, whatever is in it. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/**
 * Server errors have a door of their own, which tells their kind by the stack. Everything else becomes the same
 * event again as a custom one; a payment must, since its id would be recognised as a repeat.
 */
function toRequest(event: Event): { path: string; body: object } {
  const { type, severity, source, message, payload, correlation, release } = event;
  const common = { ...(hasEntries(correlation) && { correlation }), ...(release !== null && { release }) };
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

/** JSON escapes all control characters but these, which a terminal may act upon when they are pasted. */
function escapeForTerminals(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
