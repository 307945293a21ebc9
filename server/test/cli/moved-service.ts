import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { BACKED_UP_TABLES } from '../../src/backup/tables.ts';
import { ApiClient } from '../support/client.ts';
import { type EndedCommand, runCommand, startProgram } from '../support/program.ts';
import { waitFor } from '../support/wait.ts';
import { compareDerived, type DerivedTables, hasCopies } from './derived-tables.ts';
import type { Credentials } from './filled-database.ts';
import { createPlace, type Place, type PlaceKind, readRows } from './places.ts';

type Rows = Record<string, string[]>;

/** A backup of one place and its restore into a new one, by the commands of a user. */
export interface Move {
  from: PlaceKind;
  to: PlaceKind;
  keepsTokens: boolean;
  before: Rows;
  after: Rows;
  backup: EndedCommand;
  restore: EndedCommand;
  /** Answers of the service at the new place. */
  answers: Answers;
}

interface MoveOptions {
  from: Place;
  to: PlaceKind;
  keepsTokens: boolean;
  /** Directory of the backups. */
  directory: string;
  credentials: Credentials;
  /** Access token of the user, created at the old place; null if there is none. */
  token: string | null;
}

/** @returns the move, and the new place with a new access token of the user */
export async function move(options: MoveOptions): Promise<{ move: Move; place: Place; token: string }> {
  const { from, keepsTokens } = options;
  const before = await readRows(from);
  const place = await createPlace(options.to);
  const file = path.join(options.directory, `${randomUUID()}-${from.kind}-${place.kind}.backup`);
  const backup = await runCommand(['backup', file], { environment: from.environment });
  const argv = ['restore', ...(keepsTokens ? ['--keep-tokens'] : []), file];
  const restore = await runCommand(argv, { environment: place.environment });
  const after = await readRows(place);
  const { token, ...answers } = await useService(place, options.credentials, options.token);
  const made = { from: from.kind, to: place.kind, keepsTokens, before, after, backup, restore, answers };
  return { move: made, place, token };
}

export function countBackedUp(rows: Rows): number {
  return BACKED_UP_TABLES.reduce((sum, table) => sum + (rows[table]?.length ?? 0), 0);
}

interface Answers {
  /** Answer to the access token of the old place. */
  tokenStatus: number;
  loginStatus: number;
  ingestStatus: number;
  /** Messages of the newest events, once the new one is stored. */
  messages: string[];
  /** Marks of the API keys: the restored one, then one that was created since. */
  restoredAt: (string | null)[];
  /** True if the audit log of the organization says that a restore has revoked a token of the user. */
  hasRevocation: boolean;
  /** Tables that the service derives, compared with raw rows once it has settled. */
  derived: DerivedTables;
  exitCode: number | null;
}

const NEW_EVENT = { type: 'after', severity: 'INFO', message: 'After the restore' };

/** Starts the service at a place, logs in, sends an event, and stops it. */
async function useService(
  place: Place,
  { email, password, apiKey }: Credentials,
  oldToken: string | null,
): Promise<Answers & { token: string }> {
  const { DATA_DIR, ...environment } = place.environment;
  const program = await startProgram(DATA_DIR, { environment });
  try {
    const api = new ApiClient(program.managementUrl);
    const ingest = new ApiClient(program.ingestionUrl, { 'x-api-key': apiKey });
    const loginStatus = (await api.post('/auth/login', { email, password })).status;
    const withToken = new ApiClient(program.managementUrl, { authorization: `Bearer ${oldToken}` });
    const tokenStatus = (await withToken.get('/auth/me')).status;
    const ingestStatus = (await ingest.post('/ingest/events', NEW_EVENT)).status;
    const { body: projects } = await api.get('/projects');
    const keysPath = `/projects/${projects[0].id}/api-keys`;
    await api.post(keysPath, { name: 'New' });
    const { body: keys } = await api.get(keysPath);
    const { body: token } = await api.post('/tokens', { name: 'Moved', scopes: ['read'] });
    const { body: audit } = await api.get('/organizations/audit?limit=500');
    const hasRevocation = audit.some(
      ({ action, user }: { action: string; user: { name: string | null } }) =>
        action === 'token.revoked_by_restore' && user.name !== null,
    );
    const messages = await waitFor('the new event', async () => {
      const { body } = await api.get('/events?limit=500');
      const all: string[] = body.map((event: { message: string }) => event.message);
      return all.includes(NEW_EVENT.message) && all;
    });
    await waitFor('copies of all hours that are over', () => place.besideService(hasCopies));
    const derived = await place.besideService(compareDerived);
    program.signal('SIGTERM');
    return {
      derived,
      loginStatus,
      tokenStatus,
      ingestStatus,
      messages,
      restoredAt: [keys.at(-1).restoredAt, keys[0].restoredAt],
      hasRevocation,
      exitCode: await program.ended,
      token: token.token,
    };
  } finally {
    program.signal('SIGKILL');
  }
}
