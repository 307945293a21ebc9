import type { Readable } from 'node:stream';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { SEVERITIES } from '../events/severities.ts';
import { CommandError } from '../platform/command-error.ts';
import { printable } from '../platform/printable.ts';
import { sendEvent } from './send-event.ts';

const DEFAULT_URL = 'http://127.0.0.1:4100';
/** Maximum input, more than any event may have: a larger one is refused without asking the server. */
const MAX_INPUT_BYTES = 1024 * 1024;

interface SendFlags {
  type: string;
  severity: string;
  message?: string;
  source?: string;
  payload?: string;
  correlation?: Record<string, string>;
  url?: URL;
  key?: string;
  timeout: number;
}

/** `tocsin send`: a client of the service. Its variables do not belong to the service's configuration. */
export function defineSend(program: Command, environment: NodeJS.ProcessEnv): void {
  program
    .command('send')
    // One line for a wrong argument as for any other failure: cron may mail the output.
    .showHelpAfterError(false)
    .description('Send an event, from a script or a cron job. Prints the id of its job.')
    .option('--type <type>', 'what kind of event it is', 'manual')
    .addOption(
      new Option('--severity <severity>', 'info, warn, error or critical')
        .default('info')
        .argParser(parseSeverity),
    )
    .option('--message <text>', 'what happened; - or nothing: what comes on standard input')
    .option('--source <source>', 'the service or component that it comes from')
    .option('--payload <json>', 'a JSON object', parsePayload)
    .option('--correlation <key=value>', 'what it belongs to; may be repeated', parseCorrelation)
    .option(
      '--url <url>',
      `address of the ingestion API (default: TOCSIN_INGEST_URL, TOCSIN_URL, else ${DEFAULT_URL})`,
      parseUrl,
    )
    .option('--key <key>', 'API key (default: TOCSIN_API_KEY, which other users of this machine do not see)')
    .option('--timeout <seconds>', 'how long to try at most', parseTimeout, 10)
    .addHelpText(
      'after',
      `
Prefer TOCSIN_API_KEY to --key: the arguments of a program are visible to other users of the machine.

Examples:
  $ export TOCSIN_API_KEY=tsn_live_...
  $ tocsin send --severity error --source backup --message "The nightly backup failed"
  $ ./nightly.sh 2>&1 | tail -n 20 | tocsin send --type nightly --correlation host=$(hostname)`,
    )
    .action(async (flags: SendFlags) => {
      const jobId = await send(flags, environment, process.stdin);
      process.stdout.write(`${printable(jobId)}\n`);
    });
}

/**
 * Sends an event of the flags, with the address and the key of the environment where they are not given.
 * @returns the id of the job
 * @throws CommandError
 */
export async function send(
  flags: SendFlags,
  environment: NodeJS.ProcessEnv,
  input: Readable & { isTTY?: boolean },
): Promise<string> {
  const apiKey = (flags.key ?? environment['TOCSIN_API_KEY'] ?? '').trim();
  if (!apiKey) throw new CommandError('There is no API key: set TOCSIN_API_KEY.');
  // Any other text would fail as a header, with the key in the error's message.
  if (!/^\w+$/.test(apiKey)) throw new CommandError('The API key contains characters that no key has.');
  const url = flags.url ?? readUrl(environment);
  const { type, severity, source, correlation, payload: payloadJson } = flags;
  const message = await readMessage(flags.message, input);
  return sendEvent(
    { type, severity, message, source, correlation, payloadJson },
    { url, apiKey, timeoutMs: flags.timeout * 1000 },
  );
}

async function readMessage(
  message: string | undefined,
  input: Readable & { isTTY?: boolean },
): Promise<string> {
  if (message !== undefined && message !== '-') return message;
  if (message === undefined && input.isTTY)
    throw new CommandError('There is no message: use --message, or pipe it in.');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_INPUT_BYTES)
      throw new CommandError('The message on standard input is longer than 1 MiB.');
    chunks.push(chunk);
  }
  // As in a shell's $(…): the line breaks at the end belong to the program that printed it.
  const text = Buffer.concat(chunks)
    .toString()
    .replace(/[\r\n]+$/, '');
  if (text === '') throw new CommandError('There is no message: standard input is empty.');
  return text;
}

function parseSeverity(text: string): string {
  const severity = text.toLowerCase();
  if (SEVERITIES.some((known) => known === severity)) return severity;
  throw new InvalidArgumentError('Use info, warn, error or critical.');
}

function parsePayload(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return text;
  } catch {
    // The same answer as for a list or a number.
  }
  throw new InvalidArgumentError('It is not a JSON object.');
}

function parseCorrelation(text: string, previous: Record<string, string> = {}): Record<string, string> {
  const separator = text.indexOf('=');
  if (separator < 1) throw new InvalidArgumentError('Use key=value.');
  return Object.fromEntries([
    ...Object.entries(previous),
    [text.slice(0, separator), text.slice(separator + 1)],
  ]);
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && ['http:', 'https:'].includes(url.protocol)) return url;
  throw new InvalidArgumentError('It must begin with http:// or https://.');
}

/**
 * Reads the address: `TOCSIN_URL` is the dashboard's for the other client commands, so the variable of this one comes
 * first.
 */
function readUrl(environment: NodeJS.ProcessEnv): URL {
  for (const name of ['TOCSIN_INGEST_URL', 'TOCSIN_URL']) {
    const text = environment[name]?.trim();
    if (!text) continue;
    try {
      return parseUrl(text);
    } catch {
      throw new CommandError(`${name} must begin with http:// or https://.`);
    }
  }
  return new URL(DEFAULT_URL);
}

function parseTimeout(text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 3600) return seconds;
  throw new InvalidArgumentError('Use a number of seconds, up to 3600.');
}
