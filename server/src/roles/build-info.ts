import { readMigrations } from '../database/migrations.ts';
import { readProgramVersion } from '../platform/version.ts';
import type { Metrics } from './metrics.ts';

/** Records the program's version, and the newest schema that it knows. */
export async function recordBuild({ buildInfo }: Pick<Metrics, 'buildInfo'>): Promise<void> {
  const migrations = await readMigrations();
  const schema = migrations.reduce((newest, { version }) => Math.max(newest, version), 0);
  buildInfo.set({ version: readProgramVersion(), schema: String(schema) }, 1);
}
