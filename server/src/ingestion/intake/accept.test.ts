import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { toId } from '../../platform/ids.ts';
import type { Claim, IntakeItem } from '../../queue/queue.ts';
import { createMetrics } from '../../roles/metrics.ts';
import { KeyUsage } from '../authentication/key-usage.ts';
import type { Observation } from '../event/to-event.ts';
import { acceptObservations } from './accept.ts';
import { Intake } from './intake.ts';
import { OPEN } from './testing.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);
const SENDER = { owner: { keyId: 'key', projectId: 'p', projectNumber: 1, browser: null }, connection: OPEN };
const FIRST: Claim = { key: 'k', jobId: '0190a000-0000-7000-8000-000000000000', answer: null };

const observationOf = (message: string): Observation => ({
  type: 'log',
  severity: 'info',
  source: null,
  message,
  payload: {},
  correlation: undefined,
});

describe('acceptObservations', () => {
  const accepting = (claim: Claim | null) => {
    const items: IntakeItem[] = [];
    const queue = {
      append: async (added: IntakeItem[]) => {
        for (const item of added) items.push(item);
        return added.map(() =>
          claim ? { status: 'repeated' as const, claim } : { status: 'queued' as const },
        );
      },
    };
    const dependencies = {
      intake: new Intake(queue, createMetrics()),
      usage: new KeyUsage(),
      clock: { now: () => NOW },
    };
    const accept = (observations: Iterable<Observation>) =>
      acceptObservations(dependencies, SENDER, observations, { receivedAtMs: NOW, claimKey: 'k' });
    return { items, accept };
  };

  it('puts many observations of one request into one item of the queue, with one claim for the first job', async () => {
    const { items, accept } = accepting(null);
    const { jobId } = await accept(['first', 'second'].map(observationOf));
    expect(items.map(({ events }) => events.map((text) => JSON.parse(text).message))).toEqual([
      ['first', 'second'],
    ]);
    const { id } = JSON.parse(items[0]?.events[0] ?? '');
    expect(items[0]?.claim).toEqual({ key: 'k', jobId: id, answer: null });
    expect(jobId).toMatch(/^job_/);
  });

  it('answers a repeat of many observations with the first job', async () => {
    const { accept } = accepting(FIRST);
    expect(await accept([observationOf('again')])).toEqual({
      jobId: toId('job', FIRST.jobId),
      status: 'queued',
    });
  });

  it('lets other work happen between many observations of one request', async () => {
    const { accept } = accepting(null);
    let turns = 0;
    let made = 0;
    const long = 'x'.repeat(30_000);
    function* observations() {
      for (; made < 40; made++) yield observationOf(long);
    }
    const accepted = accept(observations());
    while (made < 40) {
      await nextTurn();
      turns++;
    }
    await accepted;
    expect(turns).toBeGreaterThan(4);
  });
});
