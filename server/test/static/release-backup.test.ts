import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { DEFAULT_SETTINGS, DETECTOR_VERSION, fromBytes, ProjectDetector, toBytes } from '@tocsin/detector';
import { describe, expect, it } from 'vitest';
import { openBackup } from '../../src/backup/read.ts';
import { readMigrations } from '../../src/database/migrations.ts';
import { isReleased, listReleaseBackups } from '../cli/releases/release-backup.ts';

const OUTDATED = 'The backup was made by other sources: run `npm run backup:release`.';

/** Reads what depends on the sources: the header, and the saved detectors. */
async function readBackup(file: string) {
  const backup = await openBackup(createReadStream(file));
  const states: Buffer[] = [];
  for (const { name, columns } of backup.header.tables) {
    const rows = (await buffer(backup.readTable(name))).toString();
    if (name !== 'risk_state') continue;
    const at = columns.indexOf('state');
    // Bytes in COPY's text format: `\\x`, then hexadecimal digits.
    for (const row of rows.split('\n').filter(Boolean))
      states.push(Buffer.from(row.split('\t')[at]?.slice(3) ?? '', 'hex'));
  }
  await backup.readFooter();
  backup.close();
  return { header: backup.header, states };
}

/** True if a detector that is loaded from these bytes is saved as the same ones. */
function isOfPresentForm(state: Buffer): boolean {
  try {
    const saved = fromBytes(state);
    return saved !== null && state.equals(toBytes(new ProjectDetector(0, DEFAULT_SETTINGS, saved).save()));
  } catch {
    return false;
  }
}

describe.each(await listReleaseBackups())('the backup of $version', async ({ version, ...backup }) => {
  const { header, states } = await readBackup(backup.file);

  it.skipIf(await isReleased(version))(
    `agrees with the schema and the detection of the sources until ${version} is released (skipped afterwards)`,
    async () => {
      const known = await readMigrations();
      expect(header.program, OUTDATED).toBe(version);
      expect(header.migrations, OUTDATED).toEqual(
        known.map(({ version, name, checksum }) => ({ version, name, checksum })),
      );
      expect(backup.detectorVersion, OUTDATED).toBe(DETECTOR_VERSION);
      expect(states).not.toEqual([]);
      expect(states.every(isOfPresentForm), OUTDATED).toBe(true);
    },
  );
});
