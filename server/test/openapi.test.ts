import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { describeApis, formatDocument } from '../src/roles/describe-apis.ts';

describe('the OpenAPI documents', async () => {
  const documents = await describeApis();

  it.each(['management', 'ingestion'] as const)(
    'equals the committed OpenAPI document of the %s service (`npm run openapi` writes it)',
    async (name) => {
      const committed = await readFile(new URL(`../../docs/openapi/${name}.json`, import.meta.url), 'utf8');
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
});
