import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

const DIRECTORY = new URL('../../../archive-migrations/', import.meta.url);

interface ArchiveMigration {
  version: number;
  name: string;
  statements: string[];
  checksum: string;
}

/** The numbered SQL files of the archive's schema, in order. Each statement may run twice: there are no transactions. */
export async function readArchiveMigrations(): Promise<ArchiveMigration[]> {
  const names = (await readdir(DIRECTORY)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, DIRECTORY), 'utf8');
      return {
        version: Number(name.slice(0, 4)),
        name,
        statements: sql
          .split(/;\s*$/m)
          .map((statement) => statement.trim())
          .filter(Boolean),
        checksum: createHash('sha256').update(sql).digest('hex'),
      };
    }),
  );
}
