import { describe, expect, it } from 'vitest';
import { createArchiveMetrics } from '../src/maintenance/archive/metrics.ts';
import { registerEmbeddedMetrics } from '../src/roles/embedded-database.ts';
import { DOCUMENTS, readText, tableRows } from './support/documents.ts';
import { startTestService } from './support/service.ts';

describe('the documents on metrics', async () => {
  const service = await startTestService({ roles: ['worker', 'ingestion', 'management'] });
  // Measured only with the embedded database.
  registerEmbeddedMetrics(service.context.metrics.registry, { freeBytes: null }, { restarts: 0 });
  // Measured only with an archive.
  createArchiveMetrics([service.context.metrics.registry]);
  // Some labels are there from the first request on.
  await service.signUp();

  it('documents every metric of a process with its type, and nothing else', async () => {
    const text = await (await fetch(`${service.managementUrl}/metrics`)).text();
    const measured = [...text.matchAll(/^# TYPE (tocsin_\w+) (\w+)$/gm)].map(
      ([, name = '', type = '']) => [name, type] as const,
    );
    const documented = tableRows(await readText('docs/monitoring.md'), 'Metric | Type | What it says');
    const described = documented.map(([name = '', type = '']) => [name.replaceAll('`', ''), type] as const);
    expect(new Map(described)).toEqual(new Map(measured));
  });

  it.each(['docs/grafana-dashboard.json', 'docs/prometheus-rules.yaml'])(
    'exposes each metric that %s queries under its exact name',
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
