import type { Command } from 'commander';
import type { Clock } from '../../platform/clock.ts';
import { parseInstant, parseLimit, parseSeverity } from './arguments.ts';
import { findConnection } from './connection.ts';
import { helpWith } from './exit-codes.ts';
import { findProjectId } from './find-project.ts';
import { followEvents } from './follow-events.ts';
import { LiveHints } from './live-hints.ts';
import { type Fields, readList } from './request.ts';
import { note, printLines, type Terminal, widthOf } from './terminal.ts';
import { cut, padEnd, toLine, toSafeJson } from './text.ts';

interface EventFlags {
  follow?: true;
  json?: true;
  project?: string;
  type?: string;
  source?: string;
  severity?: string;
  release?: string;
  query?: string;
  since?: string;
  limit?: number;
}

const DEFAULT_LIMIT = 50;
/** Number of events before the new ones, as with `tail -f`. */
const DEFAULT_FOLLOW_LIMIT = 10;

/** `tocsin events` */
export function defineEvents(program: Command, terminal: Terminal, clock: Clock): void {
  program
    .command('events')
    .showHelpAfterError(false)
    .description('Print events, the newest at the end; with --follow also new ones as they arrive.')
    .option('-f, --follow', 'go on with new events until it is interrupted')
    .option('--project <project>', 'id or name of a project')
    .option('--type <type>', 'only events of this type')
    .option('--source <source>', 'only events of this source')
    .option('--severity <severity>', 'info, warn, error or critical', parseSeverity)
    .option('--release <release>', 'only events of this release')
    .option('--query <words>', 'only events whose message holds these words')
    .option('--since <time>', 'only events after it: 15m, 4h, 7d, or ISO 8601', parseInstant(clock.now()))
    .option(
      '--limit <number>',
      `the newest so many (default: ${DEFAULT_LIMIT}; ${DEFAULT_FOLLOW_LIMIT} with --follow)`,
      parseLimit,
    )
    .option('--json', 'lines of JSON (NDJSON), each an event as the API has it')
    .addHelpText(
      'after',
      `
--follow prints each event that matches once, also across a lost connection: the WebSocket only tells that there are new
ones, and they are read from the list. An event that arrives over a minute later than it was captured, or
behind 500 newer ones, may be left out. On a terminal, control characters are shown as \\xNN. Times are UTC.
${helpWith('tocsin events --severity error --since 1h', 'tocsin events --follow --project Shop --json | jq -r .message')}`,
    )
    .action((flags: EventFlags) => printEvents(terminal, flags));
}

async function printEvents(terminal: Terminal, flags: EventFlags): Promise<void> {
  const connection = await findConnection(terminal.environment);
  const query = {
    project_id: await findProjectId(connection, flags.project),
    type: flags.type,
    source: flags.source,
    severity: flags.severity,
    release: flags.release,
    q: flags.query,
    from: flags.since,
    ...(!flags.json && { payload: 'omit' }),
  };
  const print = (events: Fields[]) =>
    printLines(
      terminal,
      events.map(flags.json ? toSafeJson : (event) => formatEvent(event, widthOf(terminal))),
    );
  const limit = flags.limit ?? (flags.follow ? DEFAULT_FOLLOW_LIMIT : DEFAULT_LIMIT);
  const first = await readList(connection, { path: '/events', query, limit });
  await print(first.rows.toReversed());
  if (!flags.follow) return;
  const hints = new LiveHints(connection, 'events', 'event_captured');
  try {
    const notify = (text: string) => note(terminal, text);
    await followEvents({ connection, query, hints, print, notify, pause: wait }, first);
  } finally {
    hints.close();
  }
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const WIDTHS = { severity: 8, source: 16, type: 20 };

/** Formats a line of a log: columns of fixed widths, since later lines are not known. */
function formatEvent(event: Fields, width: number): string {
  const column = (name: keyof typeof WIDTHS) => {
    const text = toLine(event[name]);
    return padEnd(Number.isFinite(width) ? cut(text, WIDTHS[name]) : text, WIDTHS[name]);
  };
  const time = toLine(event['capturedAt']).slice(0, 19);
  return cut(
    `${time}Z  ${column('severity')}  ${column('source')}  ${column('type')}  ${toLine(event['message'])}`,
    width,
  );
}
