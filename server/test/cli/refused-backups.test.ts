import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { encodeFrames, FRAME_HEAD_BYTES, type Header, MAGIC } from '../../src/backup/format.ts';
import { countRows } from '../../src/backup/queries.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createTestDatabase } from '../support/database.ts';
import { rounds } from '../support/test-length.ts';
import { backUp, createNewDatabase, nextProgram, readTables, restore, withPool } from './support.ts';

describe('a restore', async () => {
  const source = await createTestDatabase();
  // Nothing repeats: otherwise a changed byte of the compressed stream could decode to the same text.
  await source.pool.query(
    `INSERT INTO settings SELECT 'name ' || n, md5(n::text) || md5(random()::text) FROM generate_series(1, 500) n`,
  );
  const bytes = await backUp(source.connectionString);
  const plain = gunzipSync(bytes);
  const target = await createNewDatabase();

  /** Returns the output of a refused restore, after a check that it left no data behind. */
  const refusal = async (broken: Buffer): Promise<string> => {
    const error = await restore(target, broken).then(
      () => new Error('It was restored.'),
      (error: Error) => error,
    );
    expect(await readTables(target)).toEqual([]);
    return error.message;
  };

  it('refuses a file that is no backup', async () => {
    for (const other of [Buffer.alloc(0), Buffer.from('CREATE TABLE'), gzipSync('CREATE TABLE users')]) {
      expect(await refusal(other)).toMatch(/^This is not a Tocsin backup/);
    }
  });

  it('refuses a backup that was cut off, wherever that was', async () => {
    const ends = [bytes.length - 1, 30, Math.floor(bytes.length / 2), 200, bytes.length - 9];
    for (const end of ends.slice(0, rounds(2, 5))) {
      expect(await refusal(bytes.subarray(0, end))).toMatch(/incomplete|not a Tocsin backup/);
    }
    // Cut off before compression.
    for (const end of [9, plain.length - 1, 100, Math.floor(plain.length / 2)].slice(0, rounds(2, 4))) {
      expect(await refusal(gzipSync(plain.subarray(0, end)))).toBe(
        'The backup is incomplete: it ends too early.',
      );
    }
  });

  it('refuses a backup in which a byte was changed, wherever that was', async () => {
    for (let place = 12; place < bytes.length; place += Math.floor(bytes.length / rounds(3, 12))) {
      const broken = Buffer.from(bytes);
      broken.writeUInt8(broken.readUInt8(place) ^ 0x10, place);
      // Mostly damaged or incomplete; a changed digit in the head is read as another migration.
      expect(await refusal(broken), `byte ${place}`).toMatch(
        /damaged|incomplete|^The migration \S+ of the backup differs from that of this program/,
      );
    }
    for (let place = MAGIC.length; place < plain.length; place += Math.floor(plain.length / rounds(3, 12))) {
      const broken = Buffer.from(plain);
      broken.writeUInt8(broken.readUInt8(place) ^ 0x01, place);
      expect(await refusal(gzipSync(broken)), `byte ${place}`).toMatch(/backup/);
    }
  });

  it('refuses a backup in which a text was replaced by one of the same length', async () => {
    const broken = Buffer.from(plain);
    broken.write('nome', broken.indexOf('name 250'));
    expect(await refusal(gzipSync(broken))).toBe('The backup is damaged: its checksum is not right.');
  });

  it('refuses a backup that is followed by further bytes', async () => {
    expect(await refusal(gzipSync(Buffer.concat([plain, Buffer.from('x')])))).toBe(
      'The backup is damaged: something follows its end.',
    );
  });

  it('refuses a newer format, a newer schema and other migrations', async () => {
    expect(await refusal(withHeader(plain, (header) => ({ ...header, format: 2 })))).toBe(
      'The backup has format 2, this program knows 1: use a newer version of Tocsin.',
    );
    const next = { version: 9999, name: '9999_next.sql', checksum: '' };
    expect(
      await refusal(withHeader(plain, (header) => ({ ...header, migrations: [...header.migrations, next] }))),
    ).toMatch(/^The backup was made by a newer version of Tocsin \(schema version 9999, this program knows/);
    const changed = (header: Header) => ({
      ...header,
      migrations: header.migrations.map((migration, index) =>
        index === 0 ? { ...migration, checksum: '' } : migration,
      ),
    });
    expect(await refusal(withHeader(plain, changed))).toMatch(
      /^The migration 0001_first_release.sql of the backup/,
    );
  });

  it('refuses tables that are not those of the schema, and events that span centuries', async () => {
    const tables = [{ name: 'pg_authid', columns: ['rolname'] }];
    expect(await refusal(withHeader(plain, (header) => ({ ...header, tables })))).toMatch(
      /its tables are not/,
    );
    const eventIds = {
      first: '00000000-0000-7000-8000-000000000000',
      last: 'ffffffff-ffff-7fff-bfff-ffffffffffff',
    };
    expect(await refusal(withHeader(plain, (header) => ({ ...header, eventIds })))).toMatch(/5,000 weeks/);
  });

  it('refuses a database with data, in use, or of a newer schema', async () => {
    const filled = await createNewDatabase();
    await restore(filled, bytes);
    await expect(restore(filled, bytes)).rejects.toThrow(
      'The database already holds Tocsin data (in the table settings)',
    );

    // An application name in DATABASE_URL does not hide the owner of a connection.
    for (const [url, name] of [
      [filled, 'tocsin-worker'],
      [`${filled}&application_name=shop`, 'tocsin-restore-of-another'],
    ] as const) {
      await withPool(url, name, async (pool) => {
        await pool.query('SELECT 1');
        await expect(restore(filled, bytes)).rejects.toThrow(`The database is in use by Tocsin (${name})`);
      });
    }

    const { connectionString: newer } = await createTestDatabase();
    const { expanding } = await nextProgram();
    await withPool(newer, 'other', (pool) => migrate(pool, expanding));
    await expect(restore(newer, bytes, { migrations: expanding })).rejects.toThrow(
      `has schema version ${expanding.length}, the backup ${expanding.length - 1}: restore into a new`,
    );
  });

  it('restores into a database that was migrated and never used', async () => {
    const { connectionString } = await createTestDatabase();
    expect(await restore(connectionString, bytes)).toBe(500);
  });

  it.each(['copy', 'restore'] as const)(
    'brings a backup of this version up to the schema of the next one, as a %s',
    async (kind) => {
      const url = await createNewDatabase();
      const { expanding } = await nextProgram();
      expect(await restore(url, bytes, { kind, migrations: expanding })).toBe(500);
      const tables = [...(await readTables(source.connectionString)), 'regions'].toSorted();
      expect((await readTables(url)).toSorted()).toEqual(tables);
      // A restore adds its time, by which API keys are marked.
      const settings = kind === 'restore' ? 501 : 500;
      expect(await withPool(url, 'reader', (pool) => countRows(pool, 'settings'))).toBe(settings);
    },
  );
});

function withHeader(plain: Buffer, change: (header: Header) => object): Buffer {
  const content = Buffer.from(JSON.stringify(change(readHeader(plain))));
  return gzipSync(Buffer.concat([MAGIC, ...encodeFrames('H', content), plain.subarray(headerEnd(plain))]));
}

const HEADER_START = MAGIC.length + FRAME_HEAD_BYTES;

function headerEnd(plain: Buffer): number {
  return HEADER_START + plain.readUInt32BE(MAGIC.length + 1);
}

function readHeader(plain: Buffer): Header {
  return JSON.parse(plain.toString('utf8', HEADER_START, headerEnd(plain))) as Header;
}
