import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readText } from '../../support/documents.ts';
import type { Credentials } from '../filled-database.ts';

/** Backup of a database that a release filled, with what tests need to use it. */
export interface ReleaseBackup extends ReleaseFacts {
  version: string;
  file: string;
}

/** Facts about a backup, written beside it. */
export interface ReleaseFacts {
  warning: string;
  /** Time of the service's clock at the backup. ISO 8601. */
  madeAt: string;
  /** `DETECTOR_VERSION` of the release. */
  detectorVersion: number;
  encryptionKey: string;
  credentials: Credentials;
  /** Numbers that lists have after the upgrade, counted by SQL. */
  counts: ReleaseCounts;
}

export interface ReleaseCounts {
  events: number;
  groups: number;
  incidents: number;
  members: number;
  targets: number;
  routes: number;
  apiKeys: number;
  schedules: number;
  /** Encrypted secrets of targets and second factors. */
  secrets: number;
}

/** Usual rate of orders, as detection has learned it. */
export const ORDERS_PER_MINUTE = 30;

const FIXTURES = fileURLToPath(new URL('fixtures/', import.meta.url));
const EXTENSION = '.tocsin';

export const backupFileOf = (version: string) => `${FIXTURES}${version}${EXTENSION}`;

/** File with the key and the passwords, which are for tests only. */
export const factsFileOf = (version: string) => `${FIXTURES}${version}.test-only.json`;

export async function listReleaseBackups(): Promise<ReleaseBackup[]> {
  const names = (await readdir(FIXTURES)).filter((name) => name.endsWith(EXTENSION));
  return Promise.all(
    names.map(async (name) => {
      const version = name.slice(0, -EXTENSION.length);
      const facts: ReleaseFacts = JSON.parse(await readFile(factsFileOf(version), 'utf8'));
      return { version, file: backupFileOf(version), ...facts };
    }),
  );
}

/** Returns true unless the changelog lists the version as unreleased. */
export async function isReleased(version: string): Promise<boolean> {
  return !(await readText('CHANGELOG.md')).includes(`## [${version}] - Unreleased`);
}
