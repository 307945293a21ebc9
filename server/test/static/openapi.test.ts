import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeApis, formatDocument } from '../../src/roles/describe-apis.ts';
import { readText, toCells } from '../support/documents.ts';

describe('the OpenAPI documents', async () => {
  const documents = await describeApis();

  it.each(['management', 'ingestion'] as const)(
    'equals the committed OpenAPI document of the %s service (`npm run openapi` writes it)',
    async (name) => {
      const committed = await readFile(
        new URL(`../../../docs/openapi/${name}.json`, import.meta.url),
        'utf8',
      );
      expect(committed).toBe(formatDocument(documents[name]));
    },
  );

  it.each(['management', 'ingestion'] as const)(
    'describes every operation of the %s service in its OpenAPI document',
    (name) => {
      const { openapi, paths } = documents[name] as {
        openapi: string;
        paths: Record<string, Record<string, { summary?: string; responses: Record<string, unknown> }>>;
      };
      expect(openapi).toBe('3.1.0');
      for (const [path, operations] of Object.entries(paths)) {
        for (const [method, operation] of Object.entries(operations)) {
          const what = `${method} ${path}`;
          expect(operation.summary, what).toMatch(/./);
          expect(Object.keys(operation.responses), what).toContain('default');
          expect(
            Object.keys(operation.responses).some((status) => status.startsWith('2')),
            what,
          ).toBe(true);
        }
      }
    },
  );

  it('documents every endpoint of both APIs, and no other', async () => {
    const readme = await readText('README.md');
    for (const [section, api] of [
      ['### Management API', documents.management],
      ['### Ingestion API', documents.ingestion],
    ] as const) {
      const documented = endpointsOf(readme.slice(readme.indexOf(section)).split(/\n##+ /)[0] ?? '');
      const served = Object.entries((api as { paths: Record<string, object> }).paths).flatMap(
        ([address, operations]) =>
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
});

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
