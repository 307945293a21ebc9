import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../../lib/api-types.ts';
import { curlCommand, shellQuote } from './curl-command.ts';

const event: Event = {
  id: 'evt_01h455vb4pex5vsknk084sn02q',
  type: 'checkout',
  severity: 'error',
  source: 'api',
  message: 'Payment failed',
  payload: { amount: 12 },
  correlation: { order_id: 'ord_1' },
  correlationId: 'ord_1',
  fingerprint: '0123456789abcdef',
  groupId: null,
  release: '1.2.3',
  environment: 'production',
  projectId: 'proj_01h455vb4pex5vsknk084sn02q',
  organizationId: 'org_01h455vb4pex5vsknk084sn02q',
  amount: null,
  capturedAt: '2026-11-21T09:30:00.000Z',
  receivedAt: '2026-11-21T09:30:00.000Z',
  changed: [],
  scrubbed: {},
  weight: 1,
};
const INGEST_URL = 'http://ingest.example:4001';

/** Runs a command in a real shell. Returns the arguments and the standard input that curl gets. */
function runInShell(command: string): { words: string[]; input: string } {
  const script = `curl() { printf '%s\\0' "$@"; case " $* " in *' @- '*) cat;; esac; }
${command}
`;
  const output = execFileSync('sh', { input: script, encoding: 'utf8' });
  const parts = output.split('\0');
  return { words: parts.slice(0, -1), input: parts.at(-1) ?? '' };
}

function bodyOf(command: string): unknown {
  const { words, input } = runInShell(command);
  return JSON.parse(words.includes('@-') ? input : (words.at(-1) ?? ''));
}

describe('a quoted word', () => {
  it.each(['', 'plain', "it's", "''", '$HOME `id` "x" \\ !', 'two\nlines', '-n', '\t*?[a]'])(
    'quotes %j so that a shell reads it unchanged',
    (text) => {
      expect(runInShell(`curl ${shellQuote(text)}`).words).toEqual([text]);
    },
  );
});

describe('the command that sends an event again', () => {
  it('contains the address, a placeholder for the key, and everything that was sent', () => {
    const command = curlCommand(event, `${INGEST_URL}/`);
    const { words } = runInShell(command);
    expect(words[0]).toBe(`${INGEST_URL}/ingest/events`);
    expect(words).toContain('x-api-key: YOUR_API_KEY');
    expect(words).toContain('content-type: application/json');
    expect(bodyOf(command)).toEqual({
      type: 'checkout',
      severity: 'ERROR',
      message: 'Payment failed',
      source: 'api',
      payload: { amount: 12 },
      correlation: { order_id: 'ord_1' },
      release: '1.2.3',
      environment: 'production',
    });
  });

  it('leaves out of the curl command what the event does not have', () => {
    const bare = { ...event, source: null, release: null, payload: {}, correlation: {} };
    expect(bodyOf(curlCommand(bare, INGEST_URL))).toEqual({
      type: 'checkout',
      environment: 'production',
      severity: 'ERROR',
      message: 'Payment failed',
    });
  });

  it('survives quotes, line breaks, substitutions and control characters in any text', () => {
    const message = "it's \"so\" `id` $(id) \\ \n'\r\n\t\u001b[31m\u007f\u0085\u2028 '\\'' 🎉";
    const body = bodyOf(curlCommand({ ...event, message, payload: { [message]: [message] } }, INGEST_URL));
    expect(body).toMatchObject({ message, payload: { [message]: [message] } });
  });

  it('writes a curl command without any control character', () => {
    const command = curlCommand({ ...event, message: '\u001b\u007f\u009b31m' }, INGEST_URL);
    // oxlint-disable-next-line no-control-regex -- the command must hold none of these
    expect(command).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it('sends a server error to its own endpoint, with its stack', () => {
    const payload = { status_code: 502, path: '/pay', method: 'POST', stack: "Error\n  at 'x'", frames: [] };
    const command = curlCommand({ ...event, type: 'server_error', payload }, INGEST_URL);
    expect(runInShell(command).words[0]).toBe(`${INGEST_URL}/ingest/server-error`);
    expect(bodyOf(command)).toEqual({
      status_code: 502,
      path: '/pay',
      method: 'POST',
      error_message: 'Payment failed',
      stack: "Error\n  at 'x'",
      correlation: { order_id: 'ord_1' },
      release: '1.2.3',
      environment: 'production',
    });
  });

  it('reads a body that is too long for an argument from standard input', () => {
    const payload = { text: "END_OF_EVENT\n'".repeat(20_000) };
    const command = curlCommand({ ...event, payload }, INGEST_URL);
    expect(bodyOf(command)).toMatchObject({ payload });
  });
});
