import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeApis, formatDocument, formatEndpoints } from '../../src/roles/describe-apis.ts';
import { DOCUMENTS, readText } from '../support/documents.ts';

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
        paths: Record<
          string,
          Record<string, { summary?: string; description?: string; responses: Record<string, unknown> }>
        >;
      };
      expect(openapi).toBe('3.1.0');
      for (const [path, operations] of Object.entries(paths)) {
        for (const [method, operation] of Object.entries(operations)) {
          const what = `${method} ${path}`;
          expect(operation.summary, what).toMatch(/./);
          expect(operation.description, what).toMatch(/\S/);
          expect(Object.keys(operation.responses), what).toContain('default');
          expect(
            Object.keys(operation.responses).some((status) => status.startsWith('2')),
            what,
          ).toBe(true);
        }
      }
    },
  );

  it('equals the committed list of endpoints (`npm run openapi` writes it)', async () => {
    expect(await readText('docs/api/endpoints.md')).toBe(formatEndpoints(documents));
  });

  it.each(DOCUMENTS)('names no endpoint that is not served: %s', async (document) => {
    const served = Object.values(documents).flatMap((api) =>
      Object.entries((api as { paths: Record<string, object> }).paths).flatMap(([address, operations]) =>
        Object.keys(operations).map((method) => toPattern(`${method.toUpperCase()} ${address}`)),
      ),
    );
    // Served without a place in the OpenAPI documents.
    served.push(/^GET \/(?:ws|metrics|docs|openapi\.json|sdk\.tgz)$/);
    const named = [
      ...(await readText(document)).matchAll(/`((?:GET|POST|PUT|PATCH|DELETE) \/[^`\s?#]*)/g),
    ].map(([, endpoint = '']) => endpoint);
    expect(named.filter((endpoint) => !served.some((pattern) => pattern.test(endpoint)))).toEqual([]);
  });
});

/** The endpoint with any values in place of its parameters. */
function toPattern(endpoint: string): RegExp {
  return new RegExp(`^${endpoint.replaceAll('.', '\\.').replaceAll(/{\w+}/g, '[^/]+')}$`);
}
