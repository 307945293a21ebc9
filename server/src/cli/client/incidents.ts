import type { Command } from 'commander';
import { STATUSES } from '../../incidents/statuses.ts';
import { parseLimit, parseOneOf } from './arguments.ts';
import { findConnection } from './connection.ts';
import { helpWith } from './exit-codes.ts';
import { findProjectId, readProjectNames } from './find-project.ts';
import { asFields, asList, callApi, type Fields, readList } from './request.ts';
import { formatTable } from './table.ts';
import { printLines, type Terminal, widthOf } from './terminal.ts';
import { toLine, toLines, toSafeJson } from './text.ts';

interface ListFlags {
  project?: string;
  status?: string;
  query?: string;
  limit: number;
  json?: true;
}

const EXAMPLE_ID = 'inc_01h455vb4pex5vsknk084sn02q';

/** `tocsin incidents …` */
export function defineIncidents(program: Command, terminal: Terminal): void {
  const incidents = program
    .command('incidents')
    .description('List incidents, read one, take one on, resolve one.');

  incidents
    .command('list', { isDefault: true })
    .showHelpAfterError(false)
    .description('Print incidents, the newest first.')
    .option('--project <project>', 'id or name of a project')
    .option('--status <status>', STATUSES.join(', '), parseOneOf(STATUSES))
    .option('--query <text>', 'a text in the title or in the sentence that says why it opened')
    .option('--limit <number>', 'at most so many', parseLimit, 50)
    .option('--json', 'lines of JSON, each an incident as the API has it')
    .addHelpText(
      'after',
      helpWith('tocsin incidents list --status open', 'tocsin incidents --json | jq -r .title'),
    )
    .action((flags: ListFlags) => printIncidents(terminal, flags));

  incidents
    .command('show')
    .showHelpAfterError(false)
    .description('Print an incident with its timeline.')
    .argument('<id>')
    .option('--json', 'one line of JSON, as the API has it')
    .addHelpText('after', helpWith(`tocsin incidents show ${EXAMPLE_ID}`))
    .action(async (id: string, { json }: { json?: true }) => {
      const connection = await findConnection(terminal.environment);
      const { body } = await callApi(connection, { path: pathOf(id) });
      await printIncident(terminal, asFields(body), json);
    });

  for (const [name, status, about] of [
    ['investigate', 'investigating', 'Take an incident on: you investigate it.'],
    ['resolve', 'resolved', 'Resolve an incident.'],
  ] as const) {
    incidents
      .command(name)
      .showHelpAfterError(false)
      .description(about)
      .argument('<id>')
      .option('--note <text>', 'a note for its timeline, which comes first')
      .option('--json', 'one line of JSON, as the API has it')
      .addHelpText('after', helpWith(`tocsin incidents ${name} ${EXAMPLE_ID} --note "Rolled back to 4.18.0"`))
      .action(async (id: string, { note, json }: { note?: string; json?: true }) => {
        const connection = await findConnection(terminal.environment);
        if (note !== undefined)
          await callApi(connection, { method: 'POST', path: `${pathOf(id)}/notes`, body: { note } });
        const change = { method: 'PATCH', path: pathOf(id), body: { status } } as const;
        await printIncident(terminal, asFields((await callApi(connection, change)).body), json);
      });
  }
}

function pathOf(id: string): string {
  return `/incidents/${encodeURIComponent(id)}`;
}

async function printIncidents(
  terminal: Terminal,
  { json, limit, project, status, query: q }: ListFlags,
): Promise<void> {
  const connection = await findConnection(terminal.environment);
  const query = { project_id: await findProjectId(connection, project), status, q };
  const { rows } = await readList(connection, { path: '/incidents', query, limit });
  if (json) return printLines(terminal, rows.map(toSafeJson));
  if (rows.length === 0) return printLines(terminal, ['There are no such incidents.']);
  const names = await readProjectNames(connection);
  const columns = [
    { title: 'ID', value: ({ id }: Fields) => toLine(id) },
    { title: 'OPENED', value: ({ createdAt }: Fields) => shortTime(createdAt) },
    { title: 'STATUS', value: ({ status: now }: Fields) => toLine(now) },
    { title: 'SEVERITY', value: ({ severity }: Fields) => toLine(severity) },
    { title: 'PROJECT', value: ({ projectId }: Fields) => names.get(String(projectId)) ?? toLine(projectId) },
    { title: 'TITLE', value: ({ title }: Fields) => toLine(title), isFlexible: true },
  ];
  await printLines(terminal, formatTable(columns, rows, widthOf(terminal)));
}

async function printIncident(terminal: Terminal, incident: Fields, json: true | undefined): Promise<void> {
  if (json) return printLines(terminal, [toSafeJson(incident)]);
  const resolved = incident['resolvedAt'] ? `, resolved ${shortTime(incident['resolvedAt'])}` : '';
  await printLines(terminal, [
    toLine(incident['title']),
    `${toLine(incident['status'])}, ${toLine(incident['severity'])}, opened ${shortTime(incident['createdAt'])}${resolved}`,
    `${toLine(incident['eventCount'])} events, project ${toLine(incident['projectId'])}`,
    ...asList(incident['timeline']).flatMap(formatEntry),
  ]);
}

function formatEntry(entry: Fields): string[] {
  const by = toLine(asFields(entry['by'])['name']) || 'Tocsin';
  const changes = Object.entries(asFields(entry['to'])).map(
    ([field, value]) => `${toLine(field)}: ${toLine(value)}`,
  );
  const [first = '', ...rest] = typeof entry['note'] === 'string' ? toLines(entry['note']) : [];
  const said = [...changes, ...(first ? [first] : [])].join('; ');
  return [`  ${shortTime(entry['at'])}  ${by}: ${said}`, ...rest.map((line) => `      ${line}`)];
}

/** UTC, to the second. */
export function shortTime(value: unknown): string {
  const text = toLine(value);
  return text === '' ? '' : `${text.slice(0, 19)}Z`;
}
