import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { VARIABLES } from '../src/config.ts';
import { registerEmbeddedMetrics } from '../src/roles/embedded-database.ts';
import { ERRORS } from '../src/roles/errors.ts';
import { startTestService } from './support/service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = path.join(ROOT, 'server/src');

const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/access-tokens.md',
  'docs/backup-format.md',
  'docs/decisions.md',
  'docs/errors.md',
  'docs/notifications.md',
  'docs/operations.md',
  'docs/risk.md',
  'examples/express/README.md',
  'packages/detector/README.md',
  'packages/detector/REFERENCES.md',
  'packages/embedded-postgres/README.md',
  'packages/simulation/README.md',
  'sdk/README.md',
];

describe('the documents', () => {
  it('documents the environment variables as the program reads them', async () => {
    const rows = tableRows(await readText('docs/operations.md'), 'Variable | Default | Meaning');
    const expected = Object.entries(VARIABLES).map(([name, { default: fallback, about }]) => [
      `\`${name}\``,
      fallback === null ? 'unset' : `\`${fallback}\``,
      about,
    ]);
    expect(rows).toEqual(expected);
  });

  it('starts the service with the same flags of Node by npm, in the image and as a unit of systemd', async () => {
    const flags = /"start": "node (--.*) scripts\/start.mjs"/.exec(await readText('package.json'))?.[1] ?? '';
    expect(flags).not.toBe('');
    const inImage = flags.split(' ').map((flag) => `"${flag}"`);
    expect(await readText('Dockerfile')).toContain(
      `"node", ${inImage.join(', ')}, "/app/server/bin/tocsin.js"`,
    );
    expect(await readText('docs/operations.md')).toContain(`node ${flags} server/bin/tocsin.js start`);
  });

  it('names an existing test for everything that the service survives', async () => {
    const rows = tableRows(
      await readText('docs/operations.md'),
      'What happens | What is kept, and how it goes on | Test',
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const [, , test = ''] of rows) {
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

describe('the tables about the running service', async () => {
  const service = await startTestService();
  // Measured only with the embedded database.
  registerEmbeddedMetrics(service.context.metrics.registry, { freeBytes: null }, { restarts: 0 });

  it('documents every endpoint of both APIs, and no other', async () => {
    const readme = await readText('README.md');
    for (const [section, url] of [
      ['### Management API', service.managementUrl],
      ['### Ingestion API', service.ingestionUrl],
    ] as const) {
      const documented = endpointsOf(readme.slice(readme.indexOf(section)).split(/\n##+ /)[0] ?? '');
      const openapi = (await (await fetch(`${url}/openapi.json`)).json()) as {
        paths: Record<string, object>;
      };
      const served = Object.entries(openapi.paths).flatMap(([address, operations]) =>
        Object.keys(operations).map(
          (method) => `${method.toUpperCase()} ${address.replaceAll(/{(\w+)}/g, ':$1')}`,
        ),
      );
      // Named in the text below both tables, and not part of the OpenAPI document.
      const elsewhere = ['GET /livez', 'GET /readyz', 'GET /ws'];
      const without = (all: string[]) => all.filter((endpoint) => !elsewhere.includes(endpoint)).toSorted();
      expect(without(documented)).toEqual(without(served));
    }
  });

  it('documents every metric of a process with its type, and nothing else', async () => {
    const text = await (await fetch(`${service.managementUrl}/metrics`)).text();
    const measured = [...text.matchAll(/^# TYPE (tocsin_\w+) (\w+)$/gm)].map(
      ([, name = '', type = '']) => [name, type] as const,
    );
    const documented = tableRows(await readText('docs/operations.md'), 'Metric | Type | What it says');
    const described = documented.map(([name = '', type = '']) => [name.replaceAll('`', ''), type] as const);
    expect(new Map(described)).toEqual(new Map(measured));
  });

  it.each(['docs/grafana-dashboard.json', 'docs/prometheus-rules.yaml'])(
    'exposes under its exact name each metric that %s asks for',
    async (file) => {
      const measured = await (await fetch(`${service.managementUrl}/metrics`)).text();
      const text = await readText(file);
      const named = new Set(text.match(/\b(?:tocsin|nodejs|process)_[a-z0-9_]+/g));
      expect(named.size).toBeGreaterThan(10);
      const types = new Map(
        [...measured.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]),
      );
      const isMeasured = (name: string) =>
        types.has(name) || types.get(name.replace(/_(?:bucket|sum|count)$/, '')) === 'histogram';
      expect([...named].filter((name) => !isMeasured(name))).toEqual([]);
      // The labels that are asked for are there as well.
      for (const [, name = '', label = ''] of text.matchAll(/\b(tocsin_\w+)\{(\w+)=/g)) {
        if (label !== 'job') expect(measured, name).toMatch(new RegExp(`^${name}\\{[^}]*\\b${label}="`, 'm'));
      }
    },
  );

  it('shows all documented metrics on the Grafana dashboard', async () => {
    const measured = await (await fetch(`${service.managementUrl}/metrics`)).text();
    const dashboard = await readText('docs/grafana-dashboard.json');
    const names = [...measured.matchAll(/^# TYPE (tocsin_\w+) /gm)].map(([, name = '']) => name);
    expect(names.filter((name) => !dashboard.includes(name))).toEqual([]);
    expect(JSON.parse(dashboard).panels.length).toBeGreaterThan(10);
  });

  it('exposes every metric that any document names', async () => {
    const measured = await (await fetch(`${service.managementUrl}/metrics`)).text();
    for (const document of DOCUMENTS) {
      const named = (await readText(document)).match(/\b(?:tocsin|nodejs)_[a-z]+_[a-z_]+/g) ?? [];
      expect(
        named.filter((name) => !measured.includes(`# TYPE ${name} `)),
        document,
      ).toEqual([]);
    }
  });
});

function readText(document: string): Promise<string> {
  return readFile(path.join(ROOT, document), 'utf8');
}

/** The rows of the table with this head, cell by cell. */
function tableRows(text: string, head: string): string[][] {
  const lines = text.split('\n').map(toCells);
  const start = lines.findIndex((cells) => cells.join(' | ') === head);
  if (start === -1) throw new Error(`There is no table with the head ${head}.`);
  const rows = lines.slice(start + 2);
  const length = rows.findIndex((cells) => cells.length === 0);
  return length === -1 ? rows : rows.slice(0, length);
}

/** The cells of a line of a table; none where the line is of no table. */
function toCells(line: string): string[] {
  if (!line.startsWith('|')) return [];
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** `GET`, `POST /projects` is two endpoints: a method alone belongs to the next address. */
function endpointsOf(section: string): string[] {
  const endpoints: string[] = [];
  for (const [cell = ''] of section.split('\n').map(toCells)) {
    let methods: string[] = [];
    for (const [, method = '', address] of cell.matchAll(/`([A-Z]+)(?: ([^`]+))?`/g)) {
      methods.push(method);
      if (!address) continue;
      endpoints.push(...methods.map((each) => `${each} ${address}`));
      methods = [];
    }
  }
  return endpoints;
}

function relativeLinks(text: string): { file: string; anchor: string }[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = '', anchor = ''] = link.split('#');
      return { file, anchor };
    });
}

/** The anchors that a rendered document has: its headings, as GitHub writes them. */
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
