import type { Command } from 'commander';
import type { Clock } from '../../platform/clock.ts';
import { isoTime } from '../../platform/time.ts';
import { parseLength, parseLimit, parseOneOf, parseSeverity } from './arguments.ts';
import { findConnection } from './connection.ts';
import { helpWith } from './exit-codes.ts';
import { findProjectId } from './find-project.ts';
import { shortTime } from './incidents.ts';
import { asFields, callApi, type Fields, readList } from './request.ts';
import { formatTable } from './table.ts';
import { printLines, type Terminal, widthOf } from './terminal.ts';
import { toLine, toSafeJson } from './text.ts';

const STATES = ['active', 'ended', 'all'];

interface StartFlags {
  for: number;
  project?: string;
  type?: string;
  source?: string;
  severity?: string;
  group?: string;
  schedule?: string;
  correlation?: string;
  reason?: string;
  learn: boolean;
  json?: true;
}

/** `tocsin silence …` */
export function defineSilences(program: Command, terminal: Terminal, clock: Clock): void {
  const silence = program
    .command('silence')
    .description('Send no notifications about known problems: start a silence, list them, end one.');

  silence
    .command('start')
    .showHelpAfterError(false)
    .description('Start a silence. All given options must match; without any it covers everything.')
    .requiredOption('--for <length>', 'such as 30m, 4h or 7d; at most 30d', parseLength)
    .option('--project <project>', 'id or name of a project')
    .option('--type <type>', 'of incidents and groups')
    .option('--source <source>', 'of incidents and groups')
    .option('--severity <severity>', 'this one alone', parseSeverity)
    .option('--group <id>', 'id of a group')
    .option('--schedule <id>', 'id of a scheduled job; with --project')
    .option('--correlation <key=value>', 'that events have')
    .option('--reason <text>', 'for those who find it')
    .option('--no-learn', 'detection learns nothing meanwhile, as for a load test; at most 7d')
    .option('--json', 'one line of JSON, as the API has it')
    .addHelpText('after', helpWith('tocsin silence start --project Shop --for 30m --reason "Load test"'))
    .action(async (flags: StartFlags) => {
      const connection = await findConnection(terminal.environment);
      const { for: lengthMs, project, group, schedule, json, ...fields } = flags;
      const body = {
        ...fields,
        projectId: await findProjectId(connection, project),
        groupId: group,
        scheduleId: schedule,
        until: isoTime(clock.now() + lengthMs),
      };
      const answer = await callApi(connection, { method: 'POST', path: '/silences', body });
      await printSilence(terminal, asFields(answer.body), json);
    });

  silence
    .command('list', { isDefault: true })
    .showHelpAfterError(false)
    .description('Print silences, the newest first.')
    .option('--state <state>', STATES.join(', '), parseOneOf(STATES), 'active')
    .option('--limit <number>', 'at most so many', parseLimit, 50)
    .option('--json', 'lines of JSON, each a silence as the API has it')
    .addHelpText('after', helpWith('tocsin silence list --state all'))
    .action((flags: { state: string; limit: number; json?: true }) => printSilences(terminal, flags));

  silence
    .command('end')
    .showHelpAfterError(false)
    .description('End a silence now. Notifications of unresolved incidents are sent.')
    .argument('<silence>', 'its id')
    .option('--json', 'one line of JSON, as the API has it')
    .addHelpText('after', helpWith('tocsin silence end sil_01h455vb4pex5vsknk084sn02q'))
    .action(async (id: string, { json }: { json?: true }) => {
      const connection = await findConnection(terminal.environment);
      const path = `/silences/${encodeURIComponent(id)}`;
      await printSilence(
        terminal,
        asFields((await callApi(connection, { method: 'DELETE', path })).body),
        json,
      );
    });
}

async function printSilences(
  terminal: Terminal,
  { state, limit, json }: { state: string; limit: number; json?: true },
): Promise<void> {
  const connection = await findConnection(terminal.environment);
  const { rows } = await readList(connection, { path: '/silences', query: { state }, limit });
  if (json) return printLines(terminal, rows.map(toSafeJson));
  if (rows.length === 0) return printLines(terminal, ['There are no such silences.']);
  const columns = [
    { title: 'ID', value: ({ id }: Fields) => toLine(id) },
    { title: 'STATE', value: ({ state: now }: Fields) => toLine(now) },
    { title: 'UNTIL', value: ({ until, endedAt }: Fields) => shortTime(endedAt ?? until) },
    { title: 'MATCHED', value: ({ matched }: Fields) => toLine(matched) },
    { title: 'ABOUT', value: scopeOf },
    { title: 'REASON', value: ({ reason }: Fields) => toLine(reason), isFlexible: true },
  ];
  await printLines(terminal, formatTable(columns, rows, widthOf(terminal)));
}

async function printSilence(terminal: Terminal, silence: Fields, json: true | undefined): Promise<void> {
  if (json) return printLines(terminal, [toSafeJson(silence)]);
  const reason = toLine(silence['reason']);
  const time =
    silence['state'] === 'ended'
      ? `ended ${shortTime(silence['endedAt'])}`
      : `active until ${shortTime(silence['until'])}`;
  const learning = silence['learn'] === false ? '; nothing is learned' : '';
  await printLines(terminal, [
    `${toLine(silence['id'])}  ${time}${reason && `: ${reason}`}`,
    `about ${scopeOf(silence)}; matched ${toLine(silence['matched'])}${learning}`,
  ]);
}

function scopeOf(silence: Fields): string {
  const named = ['projectId', 'type', 'source', 'severity', 'groupId', 'scheduleId', 'correlation'].flatMap(
    (name) => (typeof silence[name] === 'string' ? [toLine(silence[name])] : []),
  );
  return named.length > 0 ? named.join(' ') : 'everything';
}
