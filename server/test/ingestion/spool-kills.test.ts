import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Random } from '@tocsin/simulation/random';
import { makeScratchDirectory } from '@tocsin/simulation/scratch';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MINUTE_MS } from '../../src/platform/durations.ts';
import { toUuid } from '../../src/platform/ids.ts';
import { aQueuedEvent, NO_EVENTS, processed, uuidOf } from '../processing/support.ts';
import { readAll } from '../support/client.ts';
import { BUILD_TIMEOUT_MS, buildServer } from '../support/program.ts';
import { startTestService } from '../support/service.ts';
import { longForm, rounds } from '../support/test-length.ts';
import { drawSeed } from '../support/test-seed.ts';
import { scaled } from '../support/time-scale.ts';

const PROGRAM = fileURLToPath(new URL('spool-process.mjs', import.meta.url));
const RECORDS = 9;
/** Every third record is a check-in. */
const CHECK_IN = { slug: 'hourly', status: 'ok', runId: null, declared: { intervalSeconds: 3_600 } };

/** Places at which a process is killed, in their order: `kept` is between the `fsync` and the answer. */
const POINTS = ['writing', 'kept', 'batch', 'begin', 'settled', 'committed', 'removed'] as const;

describe('a spool whose processes are killed', async () => {
  const service = await startTestService({ own: true });
  const user = await service.signUp();
  beforeAll(buildServer, BUILD_TIMEOUT_MS);

  it(
    'stores every acknowledged event and check-in once, and none twice, wherever it was killed',
    async () => {
      const random = new Random(drawSeed());
      const below = (bound: number) => Math.floor(random.uniform() * bound);
      const projects = [await user.createProject(), await user.createProject()];
      const { pool, connectionString } = service.database;
      const { rows: keys } = await pool.query<{ id: string; projectId: string }>(
        'SELECT id, project_id AS "projectId" FROM api_keys WHERE project_id = ANY ($1)',
        [projects.map(({ id }) => uuidOf(id))],
      );
      const directory = await makeScratchDirectory();
      onTestFinished(() => rm(directory, { recursive: true }));
      // Each process finds the folders of those before it without an owner.
      let nowMs = service.context.clock.now();

      const makeRecord = (index: number) => {
        const project = projects[index % 2];
        if (!project) throw new Error('There are two projects.');
        const event = aQueuedEvent(project.id);
        const claim = { key: `sentry:${event.id}`, jobId: event.id, answer: null };
        const keyId = keys.find(({ projectId }) => projectId === event.projectId)?.id;
        const isCheckIn = index % 3 === 2;
        if (isCheckIn) checkInIds.add(event.id);
        const events = isCheckIn ? [] : [JSON.stringify(event)];
        const item = { projectId: event.projectId, keyId, events, claim };
        return {
          receivedAt: new Date(nowMs + index).toISOString(),
          item,
          ...(isCheckIn && { checkIn: CHECK_IN }),
        };
      };
      const checkInIds = new Set<string>();
      const kept = new Set<string>();
      const reported = new Set<string>();
      const run = async (count: number, point: string | null, call: number) => {
        const records = Array.from({ length: count }, (_, index) => makeRecord(index));
        for (const { item } of records) reported.add(item.claim.jobId);
        const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
        child.stdin.end(JSON.stringify({ connectionString, directory, nowMs, records, point, call }));
        const [output, [, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
        const lines = output.split('\n').slice(0, -1);
        for (const line of lines) if (line !== 'empty') kept.add(line);
        nowMs += 2 * MINUTE_MS;
        return { isEmpty: lines.includes('empty'), signal };
      };

      for (let round = 0; round < rounds(POINTS.length, 150); round++) {
        const point = longForm ? POINTS[below(POINTS.length)] : POINTS[round];
        // In the short form each point is reached.
        const { signal } = await run(RECORDS, point ?? '', longForm ? 1 + below(8) : 1);
        if (!longForm) expect({ point, signal }).toEqual({ point, signal: 'SIGKILL' });
      }
      expect(await run(0, null, 0)).toEqual({ isEmpty: true, signal: null });
      expect(await readdir(directory)).toEqual([]);

      await processed(service);
      const stored: string[] = [];
      for (const { id } of projects) {
        const events = await readAll(user.api, `/events?project_id=${id}&limit=500`);
        stored.push(...events.map((event: { id: string }) => toUuid('evt', event.id) ?? ''));
        const { body } = await user.api.get(`/projects/${id}/ledger`);
        expect(body).toEqual({ ...NO_EVENTS, accepted: events.length, stored: events.length });
      }
      const { rows: checkIns } = await pool.query<{ id: string }>('SELECT id FROM check_ins');
      expect(checkIns.filter(({ id }) => !checkInIds.has(id))).toEqual([]);
      stored.push(...checkIns.map(({ id }) => id));
      expect(new Set(stored).size).toBe(stored.length);
      expect([...kept].filter((id) => !stored.includes(id))).toEqual([]);
      expect(stored.filter((id) => !reported.has(id))).toEqual([]);
    },
    scaled(longForm ? 900_000 : 120_000),
  );
});
