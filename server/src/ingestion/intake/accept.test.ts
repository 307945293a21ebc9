import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { toId } from '../../platform/ids.ts';
import type { Claim, IntakeItem } from '../../queue/queue.ts';
import { createMetrics } from '../../roles/metrics.ts';
import { KeyUsage } from '../authentication/key-usage.ts';
import type { Observation } from '../event/to-event.ts';
import { acceptObservation, encodeObservations } from './accept.ts';
import { Intake } from './intake.ts';
import { OPEN } from './testing.ts';

const NOW = Date.UTC(2026, 10, 21, 9, 30);
const SENDER = {
  owner: { keyId: 'key', projectId: 'p', organizationId: 'o', projectNumber: 1, browser: null },
  connection: OPEN,
};
const FIRST: Claim = { key: 'k', jobId: '0190a000-0000-7000-8000-000000000000', answer: null };

const observationOf = (message: string): Observation => ({
  type: 'log',
  severity: 'info',
  source: null,
  message,
  payload: {},
  correlation: undefined,
});

describe('acceptObservation', () => {
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
      scrubSettingsOf: () => undefined,
      clock: { now: () => NOW },
    };
    const accept = (observation: Observation) =>
      acceptObservation(dependencies, SENDER, observation, { receivedAtMs: NOW, claimKey: 'k' });
    return { items, accept };
  };

  it('claims the job of the observation by the key of its request', async () => {
    const { items, accept } = accepting(null);
    const { jobId } = await accept(observationOf('first'));
    const { id, message } = JSON.parse(items[0]?.events[0] ?? '');
    expect(message).toBe('first');
    expect(items).toMatchObject([{ claim: { key: 'k', jobId: id, answer: null } }]);
    expect(jobId).toBe(toId('job', id));
  });

  it('answers a repeat with the first job', async () => {
    const { accept } = accepting(FIRST);
    expect(await accept(observationOf('again'))).toEqual({
      jobId: toId('job', FIRST.jobId),
      status: 'queued',
    });
  });
});

describe('encodeObservations', () => {
  it('lets other work happen between many observations of one request', async () => {
    let turns = 0;
    let made = 0;
    const long = 'x'.repeat(30_000);
    function* observations() {
      for (; made < 40; made++) yield observationOf(long);
    }
    const encoded = encodeObservations({ projectId: 'p' }, observations(), NOW);
    while (made < 40) {
      await nextTurn();
      turns++;
    }
    expect((await encoded).texts).toHaveLength(40);
    expect(turns).toBeGreaterThan(4);
  });
});
