import { readFile, writeFile } from 'node:fs/promises';

const MATRIX = new URL('../../lists/clients.json', import.meta.url);

/** A row of the table that `tocsin clients` prints. */
interface MatrixRow {
  /** Name of the entry, which has one row. */
  name: string;
  client: string;
  version: string;
  protocol: string;
  runtime: string;
  /** Day of the run. */
  date: string;
  result: 'passed' | 'failed';
}

/** Replaces the row of a client, or adds it. */
export async function recordResult(row: MatrixRow): Promise<void> {
  const { clients } = JSON.parse(await readFile(MATRIX, 'utf8')) as { clients: MatrixRow[] };
  const index = clients.findIndex(({ name }) => name === row.name);
  if (index === -1) clients.push(row);
  else clients[index] = row;
  await writeFile(MATRIX, `${JSON.stringify({ clients }, null, 2)}\n`);
}
