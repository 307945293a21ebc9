import type { Command } from 'commander';
import { CommandError } from '../../platform/command-error.ts';
import { parseLimit } from './arguments.ts';
import { type Connection, findConnection } from './connection.ts';
import { helpWith } from './exit-codes.ts';
import { findProjectId } from './find-project.ts';
import { shortTime } from './incidents.ts';
import { type ApiRequest, asFields, callApi, type Fields, readList } from './request.ts';
import { formatTable } from './table.ts';
import { printLines, type Terminal, widthOf } from './terminal.ts';
import { toLine, toSafeJson } from './text.ts';

interface ListFlags {
  project: string;
  sqlState?: string;
  limit: number;
  json?: true;
}

interface TakeFlags {
  project: string;
  sqlState?: string;
  all?: true;
}

/** Request of an outcome, for the path of one dead letter, or of those of a project. */
const OUTCOMES = {
  replay: { done: 'Queued again', request: (path: string) => ({ method: 'POST', path: `${path}/replay` }) },
  discard: { done: 'Discarded', request: (path: string) => ({ method: 'DELETE', path }) },
} satisfies Record<string, { done: string; request: (path: string) => ApiRequest }>;

const EXAMPLE_ID = 'job_01h455vb4pex5vsknk084sn02q';
const SQL_STATE_HELP = 'those that PostgreSQL refused with this SQLSTATE';

/** `tocsin dead-letters …` */
export function defineDeadLetters(program: Command, terminal: Terminal): void {
  const letters = program
    .command('dead-letters')
    .description('List events that could not be stored, read one, store them after all, discard them.');

  letters
    .command('list', { isDefault: true })
    .showHelpAfterError(false)
    .description('Print the dead letters of a project, the newest first.')
    .requiredOption('--project <project>', 'id or name of the project')
    .option('--sql-state <code>', SQL_STATE_HELP)
    .option('--limit <number>', 'at most so many', parseLimit, 50)
    .option('--json', 'lines of JSON, each a dead letter as the API has it')
    .addHelpText('after', helpWith('tocsin dead-letters list --project Shop'))
    .action((flags: ListFlags) => printLetters(terminal, flags));

  letters
    .command('show')
    .showHelpAfterError(false)
    .description('Print a dead letter with its event, as one line of JSON.')
    .argument('<id>')
    .requiredOption('--project <project>', 'id or name of the project')
    .addHelpText('after', helpWith(`tocsin dead-letters show ${EXAMPLE_ID} --project Shop | jq .event`))
    .action(async (id: string, { project }: { project: string }) => {
      const connection = await findConnection(terminal.environment);
      const path = `${await pathOf(connection, project)}/${encodeURIComponent(id)}`;
      await printLines(terminal, [toSafeJson((await callApi(connection, { path })).body)]);
    });

  for (const [name, about] of [
    ['replay', 'Store dead letters after all, once what refused them is mended.'],
    ['discard', 'Delete dead letters; the ledger counts them as dropped.'],
  ] as const)
    letters
      .command(name)
      .showHelpAfterError(false)
      .description(about)
      .argument('[id]')
      .requiredOption('--project <project>', 'id or name of the project')
      .option('--all', 'all that there are now')
      .option('--sql-state <code>', SQL_STATE_HELP)
      .addHelpText(
        'after',
        helpWith(
          `tocsin dead-letters ${name} ${EXAMPLE_ID} --project Shop`,
          `tocsin dead-letters ${name} --all --sql-state 22P05 --project Shop`,
        ),
      )
      .action((id: string | undefined, flags: TakeFlags) => takeLetters(terminal, name, id, flags));
}

async function printLetters(
  terminal: Terminal,
  { project, sqlState, limit, json }: ListFlags,
): Promise<void> {
  const connection = await findConnection(terminal.environment);
  const path = await pathOf(connection, project);
  const { rows } = await readList(connection, { path, query: { sql_state: sqlState }, limit });
  if (json) return printLines(terminal, rows.map(toSafeJson));
  if (rows.length === 0) return printLines(terminal, ['There are no dead letters.']);
  const columns = [
    { title: 'ID', value: ({ id }: Fields) => toLine(id) },
    { title: 'REFUSED', value: ({ createdAt }: Fields) => shortTime(createdAt) },
    { title: 'KIND', value: ({ kind }: Fields) => toLine(kind) },
    { title: 'SQLSTATE', value: ({ sqlState: code }: Fields) => toLine(code) },
    { title: 'REASON', value: ({ reason }: Fields) => toLine(reason) },
    { title: 'MESSAGE', value: ({ title }: Fields) => toLine(title), isFlexible: true },
  ];
  await printLines(terminal, formatTable(columns, rows, widthOf(terminal)));
}

async function takeLetters(
  terminal: Terminal,
  name: keyof typeof OUTCOMES,
  id: string | undefined,
  { project, sqlState, all }: TakeFlags,
): Promise<void> {
  if ((id === undefined) === (all === undefined)) throw new CommandError('Give the id of one, or --all.');
  const connection = await findConnection(terminal.environment);
  const path = await pathOf(connection, project);
  const { done, request } = OUTCOMES[name];
  let count = 1;
  if (id === undefined)
    count = await takeAll(connection, { ...request(path), query: { sql_state: sqlState } });
  else await callApi(connection, request(`${path}/${encodeURIComponent(id)}`));
  await printLines(terminal, [`${done}: ${count}.`]);
}

/** Repeats a request for what was there at the first one. @returns the number of dead letters */
async function takeAll(connection: Connection, request: ApiRequest): Promise<number> {
  let total = 0;
  let until: string | undefined;
  for (;;) {
    const { body } = await callApi(connection, { ...request, query: { ...request.query, until } });
    const answer = asFields(body);
    const count = Number(answer['count']);
    total += count;
    until ??= String(answer['until']);
    if (!(count > 0) || answer['left'] === 0) return total;
  }
}

async function pathOf(connection: Connection, project: string): Promise<string> {
  const projectId = (await findProjectId(connection, project)) ?? '';
  return `/projects/${encodeURIComponent(projectId)}/dead-letters`;
}
