import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../src/database/database.ts';
import { newestReads } from '../../src/events/archive/newest-reads.ts';
import { eventsOn } from '../../src/events/read/events-on.ts';
import type { EventReads } from '../../src/events/reader.ts';
import { DAY_MS, WEEK_MS } from '../../src/platform/durations.ts';
import { uuidLowerBound, uuidTime } from '../../src/platform/ids.ts';
import { insertSpanTenant } from '../archive/span-tenant.ts';
import { createTestDatabase } from '../support/database.ts';

const MONDAY_MS = Date.parse('2026-03-02T00:00:00Z');
const WEEKS = 4;
const END_MS = MONDAY_MS + WEEKS * WEEK_MS;
/** Two of four weeks are in the archive. */
const EDGE_MS = MONDAY_MS + 2 * WEEK_MS;
const STEP_MS = DAY_MS / 24;
const clock = { now: () => END_MS };

describe('the reads of the database alone, beside an archive', async () => {
  const { pool } = await createTestDatabase();
  // Three events of each moment.
  const count = (3 * WEEKS * WEEK_MS) / STEP_MS;
  const tenant = await insertSpanTenant(pool, { firstMs: MONDAY_MS, stepMs: STEP_MS, count });
  const { organizationId, projectIds, groups } = tenant;
  const [projectId = ''] = projectIds;
  const [more, head] = groups.map(({ id }) => id) as [string, string];
  await pool.query('UPDATE groups SET first_seen = $1', [new Date(MONDAY_MS)]);

  const readAll = async (reads: Omit<EventReads, 'database'>, fromMs: number) => {
    const series = { kind: 'events' as const, type: null, severity: null, source: null, fingerprint: null };
    const range = { projectId, groupId: null, series, fromMs, untilMs: null };
    const counting = { projectId, version: 'v1', environment: null, maxScanned: 10_000 };
    const field = { path: ['n'], operator: 'greater' as const, value: 1 };
    const fields = { projectId, type: null, source: null, severity: null, field, maxRead: 10_000 };
    return {
      releases: await reads.countReleasesOfGroup(organizationId, head, { after: null, limit: 50 }),
      releasesOfMore: await reads.countReleasesOfGroup(organizationId, more, { after: null, limit: 50 }),
      environments: await reads.countEnvironmentsOfGroup(organizationId, head),
      facts: await reads.findLeadFacts(organizationId, range),
      payments: await reads.addFailedPayments(organizationId, { ...range, maxRead: 10_000 }),
      names: await reads.listNamesOfGroups(organizationId, [head], { fromMs, toMs: null }),
      firstMinute: await reads.findFirstMinute(organizationId, projectId),
      release: await reads.countRelease(organizationId, { ...counting, fromMs, beforeMs: null }),
      releaseEver: await reads.countRelease(organizationId, { ...counting, fromMs: null, beforeMs: null }),
      fields: await reads.listFieldCounts(organizationId, fields, { fromMs, toMs: END_MS }),
    };
  };
  const withEdge = (database: Queryable) => {
    const reads = eventsOn(database);
    return { ...reads, ...newestReads(reads, clock) };
  };

  it('says from when on they are complete once old events are in the archive, and else what they said', async () => {
    expect(await readAll(withEdge(pool), MONDAY_MS)).toEqual(await readAll(eventsOn(pool), MONDAY_MS));
    await pool.query('DELETE FROM events WHERE id < $1', [uuidLowerBound(EDGE_MS)]);
    await pool.query(
      'INSERT INTO archive_state (installation_id, archived_until) VALUES (gen_random_uuid(), $1)',
      [new Date(EDGE_MS)],
    );
    await pool.query(
      "INSERT INTO archive_blocks (number, week, after_id, last_id, state) VALUES (1, $1, $2, $3, 'moved')",
      [new Date(MONDAY_MS), uuidLowerBound(MONDAY_MS), uuidLowerBound(EDGE_MS)],
    );

    const alone = await readAll(eventsOn(pool), MONDAY_MS);
    const read = await readAll(withEdge(pool), MONDAY_MS);
    const ofGroup = alone.releases.readEvents;
    expect(ofGroup).toBeGreaterThan(0);
    expect(read).toEqual({
      ...alone,
      releases: { ...alone.releases, scan: { fromMs: EDGE_MS, events: ofGroup } },
      environments: { ...alone.environments, scan: { fromMs: EDGE_MS, events: ofGroup } },
      facts: { ...alone.facts, isComplete: false },
      payments: alone.payments.map((part) => ({ ...part, firstId: uuidLowerBound(EDGE_MS) })),
      names: alone.names.map((name) => ({ ...name, isComplete: false })),
      firstMinute: new Date(MONDAY_MS),
      release: { ...alone.release, scan: { fromMs: EDGE_MS, events: alone.release.events } },
      releaseEver: { ...alone.releaseEver, scan: { fromMs: EDGE_MS, events: alone.releaseEver.events } },
      fields: { ...alone.fields, completeFromMs: EDGE_MS },
    });
    expect(uuidTime(read.payments[0]?.firstId ?? '')).toBe(EDGE_MS);
  });

  it('asks nothing further for a range that no archive has', async () => {
    let statements = 0;
    const counted = {
      query: (...asked: Parameters<Queryable['query']>) => {
        statements++;
        return pool.query(...asked);
      },
    } as Queryable;
    const range = { projectId, groupId: null, fromMs: END_MS - 6 * DAY_MS, untilMs: null, maxRead: 100 };
    const [payments] = await withEdge(counted).addFailedPayments(organizationId, range);
    expect(payments?.firstId).toBeNull();
    expect(statements).toBe(1);
  });
});
