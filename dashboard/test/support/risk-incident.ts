import type { Page } from 'playwright-core';
import { anAttached, anEvidence, anIncident, aSeries } from '../../src/features/incidents/testing.ts';
import type { Current, Evidence, Points } from '../../src/lib/api-types.ts';

const MINUTE_MS = 60_000;

/** Returns one point a minute from half an hour before a moment; the values depend on the minutes since then. */
export function pointsAround(
  at: string,
  valuesOf: (minute: number) => { observed: number; expected: number | null },
): Points {
  const points = Array.from({ length: 40 }, (_, index) => ({
    at: new Date(Date.parse(at) + (index - 30) * MINUTE_MS).toISOString(),
    ...valuesOf(index - 30),
  }));
  return { intervalSeconds: 60, points };
}

/**
 * Presents an incident to a page as one that the detector opened, with an evidence that would otherwise take days of
 * counts.
 */
export async function showAsRisk(
  page: Page,
  id: string,
  { evidence, current = null }: { evidence: Evidence; current?: Current | null },
  points: Points,
): Promise<void> {
  // Read now: a route that reads it on demand could outlive its test.
  const incident = (await (await page.request.get(`/incidents/${id}`)).json()) as Record<string, unknown>;
  const { rule, series, from } = evidence;
  const isAbsence = rule === 'drop' || rule === 'silence';
  const { rate } = anIncident();
  const shown = {
    ...incident,
    origin: 'risk',
    lead: isAbsence ? { kind: 'absence', series } : { kind: 'series', series },
    since: from,
    eventCount: isAbsence ? 0 : 42,
    rate: rule === 'at_least' ? null : rate,
    eventsQuery: { says: isAbsence ? 'before' : 'counted', params: { incident_id: id } },
    title: 'Rise: checkout',
    titleOrigin: 'generated',
    evidence,
    current,
  };
  await page.route(`**/incidents/${id}/points`, (route) => route.fulfill({ json: points }));
  await page.route(`**/incidents/${id}`, (route) =>
    route.request().resourceType() === 'document' ? route.continue() : route.fulfill({ json: shown }),
  );
}

export { anAttached, anEvidence, aSeries };
