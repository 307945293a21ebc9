import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { type Column, formatTable } from './client/table.ts';
import { printLines, type Terminal, widthOf } from './client/terminal.ts';

/** A client as `npm run test:clients`, which writes it, ran it last. */
interface TestedClient {
  client: string;
  version: string;
  protocol: string;
  /** Program that ran it, with its version. */
  runtime: string;
  /** Day of the run. */
  date: string;
  result: string;
}

const MATRIX = new URL('../../lists/clients.json', import.meta.url);

const COLUMNS: Column<TestedClient>[] = [
  { title: 'CLIENT', value: ({ client }) => client, isFlexible: true },
  { title: 'VERSION', value: ({ version }) => version },
  { title: 'PROTOCOL', value: ({ protocol }) => protocol },
  { title: 'RUNTIME', value: ({ runtime }) => runtime },
  { title: 'DATE', value: ({ date }) => date },
  { title: 'RESULT', value: ({ result }) => result },
];

/** `tocsin clients` */
export function defineClients(program: Command, terminal: Terminal): void {
  program
    .command('clients')
    .description('Print the clients of other systems that were run against this version.')
    .addHelpText('after', '\nExample:\n  $ tocsin clients')
    .action(async () => {
      const { clients } = JSON.parse(await readFile(MATRIX, 'utf8')) as { clients: TestedClient[] };
      await printLines(terminal, formatTable(COLUMNS, clients, widthOf(terminal)));
    });
}
