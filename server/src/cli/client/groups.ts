import type { Command } from 'commander';
import type { Clock } from '../../platform/clock.ts';
import { CommandError } from '../../platform/command-error.ts';
import { parseLength, parseLimit, parseOneOf, parseSeverity } from './arguments.ts';
import { type Connection, findConnection } from './connection.ts';
import { EXIT_CODES, helpWith } from './exit-codes.ts';
import { findProjectId } from './find-project.ts';
import { shortTime } from './incidents.ts';
import { asFields, asList, callApi, type Fields, readList } from './request.ts';
import { formatTable } from './table.ts';
import { printLines, type Terminal, widthOf } from './terminal.ts';
import { toLine, toSafeJson } from './text.ts';

interface ListFlags {
  project?: string;
  state?: string;
  severity?: string;
  query?: string;
  sort?: string;
  limit: number;
  json?: true;
}

const STATES = ['open', 'resolved', 'muted'];
const SORTS = ['last_seen', 'first_seen', 'count', 'users'];
const RESOLUTIONS = ['now', 'current', 'next'];

/** `tocsin groups …` */
export function defineGroups(program: Command, terminal: Terminal, clock: Clock): void {
  const groups = program
    .command('groups')
    .description(
      'List groups of events, read one, resolve or mute one. A key (SHOP-12) or an id names a group.',
    );

  groups
    .command('list', { isDefault: true })
    .showHelpAfterError(false)
    .description('Print groups, the most recently seen first.')
    .option('--project <project>', 'id or name of a project')
    .option('--state <state>', `${STATES.join(', ')} (default: open)`, parseOneOf([...STATES, 'all']))
    .option('--severity <severity>', 'groups whose worst event is at least as severe', parseSeverity)
    .option('--query <words>', 'words in message, culprit and frames')
    .option('--sort <order>', SORTS.join(', '), parseOneOf(SORTS))
    .option('--limit <number>', 'at most so many', parseLimit, 50)
    .option('--json', 'lines of JSON, each a group as the API has it')
    .addHelpText(
      'after',
      helpWith('tocsin groups list --project Shop --sort count', 'tocsin groups --json | jq -r .key'),
    )
    .action((flags: ListFlags) => printGroups(terminal, flags));

  groups
    .command('show')
    .showHelpAfterError(false)
    .description('Print a group.')
    .argument('<group>')
    .option('--json', 'one line of JSON, as the API has it')
    .addHelpText('after', helpWith('tocsin groups show SHOP-12'))
    .action(async (name: string, { json }: { json?: true }) => {
      const connection = await findConnection(terminal.environment);
      const { body } = await callApi(connection, { path: `/groups/${await findGroupId(connection, name)}` });
      await printGroup(terminal, asFields(body), json);
    });

  groups
    .command('resolve')
    .showHelpAfterError(false)
    .description('Resolve a group: a later event reopens it.')
    .argument('<group>')
    .option(
      '--in <release>',
      'now, current or next: which release reopens it',
      parseOneOf(RESOLUTIONS),
      'now',
    )
    .option('--json', 'one line of JSON, as the API has it')
    .addHelpText('after', helpWith('tocsin groups resolve SHOP-12 --in next'))
    .action((name: string, flags: { in: string; json?: true }) =>
      changeGroup(terminal, name, { state: 'resolved', resolvedIn: flags.in }, flags.json),
    );

  groups
    .command('mute')
    .showHelpAfterError(false)
    .description('Mute a group: it is still counted, and sends no notifications.')
    .argument('<group>')
    .option('--for <length>', 'such as 4h or 7d (default: until it is opened)', parseLength)
    .option('--json', 'one line of JSON, as the API has it')
    .addHelpText('after', helpWith('tocsin groups mute SHOP-12 --for 4h'))
    .action((name: string, flags: { for?: number; json?: true }) => {
      const until =
        flags.for === undefined ? {} : { muteUntil: new Date(clock.now() + flags.for).toISOString() };
      return changeGroup(terminal, name, { state: 'muted', ...until }, flags.json);
    });
}

async function changeGroup(
  terminal: Terminal,
  name: string,
  body: object,
  json: true | undefined,
): Promise<void> {
  const connection = await findConnection(terminal.environment);
  const path = `/groups/${await findGroupId(connection, name)}`;
  await printGroup(
    terminal,
    asFields((await callApi(connection, { method: 'PATCH', path, body })).body),
    json,
  );
}

/** @throws CommandError if no group has the key */
async function findGroupId(connection: Connection, name: string): Promise<string> {
  if (!/^[\p{L}\p{N}_-]+-\d+$/u.test(name)) return encodeURIComponent(name);
  const { body } = await callApi(connection, { path: '/groups', query: { key: name } });
  const [group] = asList(body);
  if (group) return encodeURIComponent(String(group['id']));
  throw new CommandError(`There is no group ${name}.`, { exitCode: EXIT_CODES.notFound });
}

async function printGroups(terminal: Terminal, flags: ListFlags): Promise<void> {
  const connection = await findConnection(terminal.environment);
  const { state = 'open', json, limit } = flags;
  const query = {
    project_id: await findProjectId(connection, flags.project),
    state: state === 'all' ? undefined : state,
    min_severity: flags.severity,
    q: flags.query,
    sort: flags.sort,
  };
  const { rows } = await readList(connection, { path: '/groups', query, limit });
  if (json) return printLines(terminal, rows.map(toSafeJson));
  if (rows.length === 0) return printLines(terminal, ['There are no such groups.']);
  const columns = [
    { title: 'KEY', value: ({ key }: Fields) => toLine(key) },
    { title: 'STATE', value: ({ state: now }: Fields) => toLine(now) },
    { title: 'SEVERITY', value: ({ severity }: Fields) => toLine(severity) },
    { title: 'EVENTS', value: ({ count }: Fields) => toLine(count) },
    { title: 'LAST SEEN', value: ({ lastSeen }: Fields) => shortTime(lastSeen) },
    { title: 'MESSAGE', value: ({ title }: Fields) => toLine(title), isFlexible: true },
  ];
  await printLines(terminal, formatTable(columns, rows, widthOf(terminal)));
}

async function printGroup(terminal: Terminal, group: Fields, json: true | undefined): Promise<void> {
  if (json) return printLines(terminal, [toSafeJson(group)]);
  const source = toLine(group['source']);
  const [first, last] = [toLine(group['firstRelease']), toLine(group['lastRelease'])];
  await printLines(terminal, [
    `${toLine(group['key'])}  ${toLine(group['title'])}`,
    `${toLine(group['state'])}, ${toLine(group['severity'])}, type ${toLine(group['type'])}${source && `, source ${source}`}`,
    `${toLine(group['count'])} events, first ${shortTime(group['firstSeen'])}, last ${shortTime(group['lastSeen'])}`,
    ...(first ? [`releases ${first} to ${last}`] : []),
    ...(group['culprit'] ? [`in ${toLine(group['culprit'])}`] : []),
    ...(group['muteUntil'] ? [`muted until ${shortTime(group['muteUntil'])}`] : []),
    toLine(group['id']),
  ]);
}
