import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { assertReachable, createPool } from '../../src/database/database.ts';
import { createTestDatabase } from '../support/database.ts';
import { certificatePath, startTlsFront } from '../support/tls-front.ts';

describe('DATABASE_URL with sslmode=verify-full', async () => {
  const database = await createTestDatabase();
  const { user, password, database: name } = new pg.Client(database.connectionString);
  const port = await startTlsFront(database.connectionString);

  async function reach(host: string, ca: string | null): Promise<void> {
    const parameters = new URLSearchParams({ sslmode: 'verify-full', ...(ca && { sslrootcert: ca }) });
    const credentials = `${user}:${encodeURIComponent(password ?? '')}`;
    const connection = {
      connectionString: `postgres://${credentials}@${host}:${port}/${name}?${parameters.toString()}`,
    };
    const pool = createPool({
      connection,
      applicationName: 'tocsin-test',
      maxConnections: 1,
      onError: () => {},
    });
    try {
      await assertReachable(pool, connection);
    } finally {
      await pool.end();
    }
  }

  it('connects if the named CA signed the certificate of the host', async () => {
    await reach('localhost', certificatePath('ca.pem'));
  });

  it('refuses a certificate of another or of an unknown CA', async () => {
    await expect(reach('localhost', certificatePath('other-ca.pem'))).rejects.toThrow(
      /cannot be reached: .*certificate/,
    );
    await expect(reach('localhost', null)).rejects.toThrow(/cannot be reached: .*certificate/);
  });

  it('refuses a certificate of another host', async () => {
    const front = reach('127.0.0.1', certificatePath('ca.pem'));
    await expect(front).rejects.toThrow(/cannot be reached: .*(altnames|certificate)/);
  });
});
