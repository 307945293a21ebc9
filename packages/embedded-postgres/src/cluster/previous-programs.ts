import { EmbeddedPostgresError } from '../platform/errors.ts';
import { describeInstallation, findFormerPackage, type PostgresPackage } from './package.ts';
import type { CopyDatabase, MeasureFree, UpgradeOptions } from './upgrade.ts';

type PreviousPrograms = Pick<UpgradeOptions, 'from' | 'source' | 'copyDatabase' | 'measureFree'>;

export interface PreviousProgramsOptions {
  /** Copies the data of a cluster of an older major version; without it, such a cluster is refused. */
  copyDatabase?: CopyDatabase;
  /** Finds the programs of an older major version. */
  findFormer?: (majorVersion: string) => Promise<PostgresPackage | null>;
  measureFree?: MeasureFree;
}

/**
 * Returns the programs and the copy function for an upgrade of the cluster; null if it needs none.
 * @param from major version of the cluster; null: there is none
 * @param cluster its directory
 * @throws EmbeddedPostgresError `incompatible_data`
 */
export async function findPreviousPrograms(
  from: string | null,
  majorVersion: string,
  cluster: string,
  { copyDatabase, findFormer = findFormerPackage, measureFree }: PreviousProgramsOptions,
): Promise<PreviousPrograms | null> {
  if (from === null || from === majorVersion) return null;
  const isOlder = Number(from) < Number(majorVersion);
  const source = isOlder ? await findFormer(from) : null;
  if (source !== null && copyDatabase !== undefined)
    return { from, source, copyDatabase, ...(measureFree && { measureFree }) };
  const hints = ['Use the version of Tocsin that made it, back up, and restore.'];
  if (source !== null) hints.unshift('A start of the service, or `tocsin migrate`, copies the data. Or:');
  else if (isOlder)
    hints.unshift(
      `To have it copied, add the programs of the old one: \`${describeInstallation(from)}\`. Or:`,
    );
  throw new EmbeddedPostgresError(
    'incompatible_data',
    `The data in ${cluster} was made by PostgreSQL ${from}; this version of Tocsin brings ` +
      `PostgreSQL ${majorVersion}. ${hints.join(' ')}`,
  );
}
