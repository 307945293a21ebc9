import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type Column, formatTable } from './client/table.ts';
import { printLines, type Terminal, widthOf } from './client/terminal.ts';

interface TestedClient {
  client: string;
  version: string;
  protocol: string;
}

/** Result of the last run of `npm run test:clients`, which writes it. */
interface ClientMatrix {
  /** Day of the run. */
  date: string;
  /** Version of Node.js. */
  node: string;
  clients: TestedClient[];
}

const MATRIX = new URL('../../lists/clients.json', import.meta.url);

const COLUMNS: Column<TestedClient>[] = [
  { title: 'CLIENT', value: ({ client }) => client, isFlexible: true },
  { title: 'VERSION', value: ({ version }) => version },
  { title: 'PROTOCOL', value: ({ protocol }) => protocol },
];

/** `tocsin clients` */
export function defineClients(program: Command, terminal: Terminal): void {
  program
    .command('clients')
    .description('Print the clients of other systems that were run against this version.')
    .addHelpText('after', '\nExample:\n  $ tocsin clients')
    .action(async () => {
      const { date, node, clients } = JSON.parse(await readFile(MATRIX, 'utf8')) as ClientMatrix;
      const table = formatTable(COLUMNS, clients, widthOf(terminal));
      await printLines(terminal, [...table, '', `Run on ${date} with Node.js ${node}.`]);
    });
}
