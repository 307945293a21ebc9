import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

describe('the configuration', () => {
  it('provides a default for every setting', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 4000,
      ingestPort: 4100,
      metricsPort: null,
      metricsHost: null,
      outboundAllow: [],
      databaseUrl: null,
      encryptionKeys: null,
      databasePoolSize: 10,
      dataDirectory: './data',
      postgresUid: 54_329,
      publicUrl: null,
      ingestUrl: null,
      singlePort: false,
      spoolDirectory: null,
      signUpMode: 'open',
      passwordCheck: 'none',
      sessionSecret: null,
      mail: null,
      archive: null,
      retentionDays: 90,
      logLevel: 'info',
      trustProxy: false,
    });
  });

  it('reports all faults together, and none of the values', () => {
    const read = () =>
      readConfig({
        PORT: '70000',
        LOG_LEVEL: 'loud',
        SESSION_SECRET: 'hunter2',
        DATABASE_URL: 'mysql://u:pw@h/d',
      });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(
      /PORT must be a port number[^]*DATABASE_URL must be[^]*SESSION_SECRET must be[^]*LOG_LEVEL/,
    );
    expect(read).not.toThrow(/hunter2|pw@/);
  });

  it('asks whether a misspelled name was meant', () => {
    expect(() => readConfig({ RETENTION_DAY: '3' })).toThrow(
      'RETENTION_DAY is unknown: did you mean RETENTION_DAYS?',
    );
    expect(() => readConfig({ DATABSE_URL: 'x' })).toThrow('did you mean DATABASE_URL?');
  });

  it('ignores environment variables of other programs', () => {
    expect(() =>
      readConfig({ PATH: '/bin', HOSTNAME: 'box', DATABASE_USER: 'x', PUBLIC_KEY: 'y' }),
    ).not.toThrow();
  });

  it('treats an empty environment variable as not set', () => {
    expect(readConfig({ DATABASE_URL: '', PORT: ' ' })).toMatchObject({ databaseUrl: null, port: 4000 });
  });

  it('accepts PostgreSQL’s own notation for a database address with a socket as host', () => {
    const address = 'postgres://tocsin:secret@/tocsin?host=%2Frun%2Fpostgresql&port=5433';
    expect(readConfig({ DATABASE_URL: address }).databaseUrl).toBe(address);
    expect(() => readConfig({ DATABASE_URL: 'mysql://u:p@/db?host=/run' })).toThrow('DATABASE_URL must be');
  });

  it('reads secrets from files, without the line break at their end', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'tocsin-test-'));
    const write = async (name: string, content: string) => {
      await writeFile(path.join(directory, name), content);
      return path.join(directory, name);
    };
    const secret = 'a secret of more than thirty-two characters';
    const files = {
      DATABASE_URL_FILE: await write('url', 'postgres://tocsin:pw@db/tocsin\n'),
      SESSION_SECRET_FILE: await write('secret', `${secret}\n`),
    };
    expect(readConfig({ ...files, REQUIRE_DATABASE_URL: 'true' })).toMatchObject({
      databaseUrl: 'postgres://tocsin:pw@db/tocsin',
      sessionSecret: secret,
    });
    const empty = await write('empty', ' \n');
    const read = () =>
      readConfig({ ...files, SESSION_SECRET: secret, DATABASE_URL_FILE: path.join(directory, 'none') });
    expect(read).toThrow(/DATABASE_URL_FILE names a file that cannot be read \(ENOENT\)/);
    expect(read).toThrow(/SESSION_SECRET and SESSION_SECRET_FILE cannot both be set/);
    expect(() => readConfig({ SESSION_SECRET_FILE: empty })).toThrow('names a file that is empty');
    expect(() => readConfig({ SESSION_SECRET_FILE: directory })).toThrow('cannot be read (EISDIR)');
    await rm(directory, { recursive: true });
  });

  it('refuses to fall back on the embedded database where an outside one is required', () => {
    expect(() => readConfig({ REQUIRE_DATABASE_URL: 'true' })).toThrow('DATABASE_URL must be set');
    expect(() => readConfig({ REQUIRE_DATABASE_URL: 'true', DATABASE_URL: ' ' })).toThrow(
      'DATABASE_URL must be set',
    );
    expect(() => readConfig({ REQUIRE_DATABASE_URL: 'yes' })).toThrow(
      'REQUIRE_DATABASE_URL must be true or false',
    );
  });

  it('refuses a CA certificate that cannot be read, without printing the address', () => {
    const address = 'postgres://u:hunter2@db/tocsin?sslmode=verify-full&sslrootcert=/nowhere/ca.pem';
    const read = () => readConfig({ DATABASE_URL: address });
    expect(read).toThrow('names a CA certificate in sslrootcert that cannot be read');
    expect(read).not.toThrow(/hunter2/);
  });

  it('refuses an address with several hosts in one sentence that names what to use', () => {
    for (const address of [
      'postgres://u:hunter2@h1,h2/tocsin?target_session_attrs=read-write',
      'postgres://u:hunter2@h1:5432,h2:5433/tocsin',
      'postgresql://u:hunter2@/tocsin?host=h1,h2',
    ]) {
      const read = () => readConfig({ DATABASE_URL: address });
      expect(read).toThrow('DATABASE_URL must name one host: use the address of HAProxy, a virtual address');
      expect(read).not.toThrow(/hunter2|must be an address/);
    }
    const comma = 'postgres://u:a,b@db/tocsin';
    expect(readConfig({ DATABASE_URL: comma }).databaseUrl).toBe(comma);
  });

  it('reads the address of the archive, and refuses one without a database', () => {
    const address = 'https://tocsin:hunter2@clickhouse:8443/tocsin';
    const { archive } = readConfig({ ARCHIVE_URL: address, ARCHIVE_CLUSTER: 'two-shards' });
    expect([archive?.url.href, archive?.cluster]).toEqual([address, 'two-shards']);
    expect(readConfig({ ARCHIVE_URL: address }).archive?.cluster).toBeNull();
    const read = () => readConfig({ ARCHIVE_URL: 'https://tocsin:hunter2@clickhouse:8443' });
    expect(read).toThrow('ARCHIVE_URL must be an address such as');
    expect(read).not.toThrow(/hunter2/);
    expect(() => readConfig({ ARCHIVE_CLUSTER: 'c' })).toThrow('ARCHIVE_URL must be set');
    expect(() => readConfig({ ARCHIVE_URL: address, ARCHIVE_CLUSTER: "c' x" })).toThrow(
      'ARCHIVE_CLUSTER must be',
    );
  });

  it('reads a list of proxies', () => {
    expect(readConfig({ TRUST_PROXY: '10.0.0.1, 10.0.0.2' }).trustProxy).toEqual(['10.0.0.1', '10.0.0.2']);
  });

  it('refuses what is neither an address nor a network', () => {
    expect(() => readConfig({ TRUST_PROXY: 'maybe' })).toThrow('TRUST_PROXY must be true, false or');
    expect(() => readConfig({ TRUST_PROXY: '10.0.0.0/33' })).toThrow('TRUST_PROXY must be');
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8,fd00::/8' }).trustProxy).toEqual(['10.0.0.0/8', 'fd00::/8']);
  });

  it('refuses the same port twice', () => {
    expect(() => readConfig({ METRICS_PORT: '4100' })).toThrow('METRICS_PORT must differ from PORT');
    expect(() => readConfig({ PORT: '5000', INGEST_PORT: '5000' })).toThrow(
      'PORT and INGEST_PORT must differ.',
    );
  });
});
