import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { VARIABLES } from '../../src/config-variables.ts';
import { ERRORS } from '../../src/roles/errors.ts';
import { DOCUMENTS, ROOT, readText, tableRows } from '../support/documents.ts';

const SOURCES = path.join(ROOT, 'server/src');

/** Pages for operators. */
const OPERATION = ['install', 'configure', 'backup-and-upgrade', 'monitoring', 'troubleshooting'];

/** Sections of these pages that say when to set each variable. */
const SECTION_OF = {
  HOST: 'Behind a reverse proxy',
  PORT: 'Behind a reverse proxy',
  INGEST_PORT: 'Behind a reverse proxy',
  METRICS_PORT: 'Behind a reverse proxy',
  METRICS_HOST: 'Behind a reverse proxy',
  DATABASE_URL: 'Running it',
  DATABASE_URL_FILE: 'Running it',
  REQUIRE_DATABASE_URL: 'Running it',
  DATABASE_POOL_SIZE: 'Sizing',
  DATA_DIR: 'Running it',
  SPOOL_DIR: 'Loss of the database',
  POSTGRES_UID: 'Running it',
  PUBLIC_URL: 'Behind a reverse proxy',
  INGEST_URL: 'Behind a reverse proxy',
  SINGLE_PORT: 'Behind a reverse proxy',
  SIGNUP: 'Security',
  PASSWORD_CHECK: 'Security',
  SESSION_SECRET: 'Security',
  SESSION_SECRET_FILE: 'Running it',
  ENCRYPTION_KEY: 'Security',
  ENCRYPTION_KEY_FILE: 'Running it',
  OUTBOUND_ALLOW: 'Security',
  SMTP_URL: 'Running it',
  SMTP_URL_FILE: 'Running it',
  SMTP_FROM: 'Running it',
  ARCHIVE_URL: 'Running it',
  ARCHIVE_URL_FILE: 'Running it',
  ARCHIVE_CLUSTER: 'Running it',
  RETENTION_DAYS: 'Retention and clocks',
  LOG_LEVEL: 'Metrics',
  TRUST_PROXY: 'Behind a reverse proxy',
} as const satisfies Record<keyof typeof VARIABLES, string>;

describe('the documents', () => {
  it('documents the environment variables as the program reads them', async () => {
    const rows = tableRows(await readText('docs/configure.md'), 'Variable | Default | Meaning');
    const expected = Object.entries(VARIABLES).map(([name, { default: fallback, about }]) => [
      `\`${name}\``,
      fallback === null ? 'unset' : `\`${fallback}\``,
      about,
    ]);
    expect(rows).toEqual(expected);
  });

  it.each(Object.entries(SECTION_OF))('mentions %s in the section "%s"', async (name, section) => {
    const pages = await Promise.all(OPERATION.map((page) => readText(`docs/${page}.md`)));
    const [, text = ''] = pages.join('\n').split(new RegExp(`^#+ ${section}$`, 'm'));
    const [own = ''] = text.split(/^#+ /m);
    expect(own).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it('starts the service with the same flags of Node by npm, in the image and as a unit of systemd', async () => {
    const flags = /"start": "node (--.*) scripts\/start.mjs"/.exec(await readText('package.json'))?.[1] ?? '';
    expect(flags).not.toBe('');
    const inImage = flags.split(' ').map((flag) => `"${flag}"`);
    expect(await readText('Dockerfile')).toContain(
      `"node", ${inImage.join(', ')}, "/app/server/bin/tocsin.js"`,
    );
    expect(await readText('docs/install.md')).toContain(`node ${flags} server/bin/tocsin.js start`);
  });

  it.each([
    [
      'that the service survives',
      'docs/troubleshooting.md',
      'What happens | What is kept, and how it goes on | Test',
    ],
    ['that protects something', 'docs/security.md', 'Asset | Attack | Control | Test'],
  ])('names an existing test for everything %s', async (_, document, head) => {
    const rows = tableRows(await readText(document), head);
    expect(rows.length).toBeGreaterThan(20);
    for (const row of rows) {
      const test = row.at(-1) ?? '';
      const [, file = '', title = ''] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
      expect(await readText(file), test).toContain(title);
    }
  });

  it('declares each error code with exactly one owner', async () => {
    const files = (await readdir(SOURCES, { recursive: true })).filter((file) =>
      /(^|\/)errors\.ts$/.test(file),
    );
    const owned: string[] = [];
    for (const file of files.filter((name) => name !== 'roles/errors.ts')) {
      const exported = Object.values<unknown>(await import(path.join(SOURCES, file)));
      for (const value of exported) if (value && typeof value === 'object') owned.push(...Object.keys(value));
    }
    expect(owned.toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  });

  it('documents the error codes as the program sends them, each with when it is sent', async () => {
    const rows = tableRows(await readText('docs/errors.md'), 'Code | Status | Title | When');
    const kinds = Object.values(ERRORS).toSorted((a, b) => a.status - b.status);
    const expected = kinds.map(({ code, status, title }) => [`\`${code}\``, String(status), title]);
    expect(rows.map((row) => row.slice(0, 3))).toEqual(expected);
    for (const row of rows) expect(row[3], row[0]).toMatch(/\.$/);
  });

  it.each(
    DOCUMENTS.filter((document) =>
      /^(?:README|docs\/detection|docs\/api\/(?!endpoints).*)\.md$/.test(document),
    ),
  )('keeps to at most 10 kB, read in one sitting: %s', async (document) => {
    expect(Buffer.byteLength(await readText(document))).toBeLessThanOrEqual(10_000);
  });

  it.each(DOCUMENTS)('links only to what exists: %s', async (document) => {
    const broken: string[] = [];
    for (const { file, anchor } of relativeLinks(await readText(document))) {
      const target = file === '' ? document : path.join(path.dirname(document), file);
      const exists = existsSync(path.join(ROOT, target));
      if (!exists || (anchor && !(await anchorsOf(target)).has(anchor))) broken.push(`${file}#${anchor}`);
    }
    expect(broken).toEqual([]);
  });

  it.each(DOCUMENTS)('names no source file that is gone: %s', async (document) => {
    const text = await readText(document);
    const named = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|js|sql))`/g)].map(
      ([, file]) => file ?? '',
    );
    const places = [ROOT, SOURCES, path.join(ROOT, path.dirname(document))];
    const missing = named.filter((file) => !places.some((place) => existsSync(path.join(place, file))));
    expect(missing).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  it('names every folder of the server', async () => {
    const text = await readText('ARCHITECTURE.md');
    const folders = (await readdir(SOURCES, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isDirectory())
      .map((entry) =>
        path.relative(SOURCES, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
      );
    expect(folders.filter((folder) => !text.includes(`\`${folder}/`))).toEqual([]);
  });

  it('keeps ARCHITECTURE.md short enough for one sitting', async () => {
    expect((await readText('ARCHITECTURE.md')).split('\n').length).toBeLessThan(200);
  });
});

describe('docs/counts.md', async () => {
  const schema = await readText('server/migrations/0001_first_release.sql');
  const tables = [...schema.matchAll(/CREATE TABLE (\w+_(?:counts|minutes|hours)) /g)].map(
    ([, table]) => table ?? '',
  );

  it('says who writes and who reads each table of counts', async () => {
    expect(tables).toContain('event_hours');
    const page = await readText('docs/counts.md');
    const rows = tableRows(page, 'Table | Rows | Written by | Read for');
    const named = rows.flatMap(([names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(new Set(named)).toEqual(new Set(tables));
  });

  it('promises rightly that no trigger counts events', () => {
    const ofTriggers = [...schema.matchAll(/CREATE TRIGGER [^;]* ON (\w+)/g)].map(([, table]) => table ?? '');
    expect(ofTriggers.length).toBeGreaterThan(3);
    expect(ofTriggers.filter((table) => tables.includes(table))).toEqual([]);
  });
});

function relativeLinks(text: string): { file: string; anchor: string }[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = '', anchor = ''] = link.split('#');
      return { file, anchor };
    });
}

/** Returns the anchors of a rendered document: its headings, as GitHub writes them. */
async function anchorsOf(document: string): Promise<Set<string>> {
  const headings = [...(await readText(document)).matchAll(/^#{1,6} (.+)$/gm)];
  return new Set(
    headings.map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-'),
    ),
  );
}
