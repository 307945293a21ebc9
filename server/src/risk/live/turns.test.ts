import { DEFAULT_SETTINGS } from '@tocsin/detector';
import { START_MS } from '@tocsin/simulation/start';
import { expect, it } from 'vitest';
import { countTurns } from '../../../test/support/count-turns.ts';
import { DAY_MS } from '../../platform/durations.ts';
import { inTurns } from '../../platform/timing/turns.ts';
import { applyRound } from './round.ts';

it('gives the event loop turns within the part of a round that a single project has', async () => {
  const counts = Array.from({ length: 300 }, (_, i) => ({
    type: `type-${i}`,
    severity: 'info' as const,
    source: 'web',
    bucketMs: START_MS,
    lastMs: START_MS,
    count: 1,
  }));
  const { result: outcomes, turns } = await countTurns(() =>
    inTurns(
      applyRound(new Map(), {
        id: 1,
        version: 1,
        sinceMs: 0,
        begun: [{ projectId: 'shop', settings: DEFAULT_SETTINGS, firstIncident: 1 }],
        set: [],
        resolved: [],
        counts: { shop: counts },
        errors: {},
        timeMs: START_MS + DAY_MS / 2,
        downtimes: [],
      }),
    ),
  );
  expect(outcomes.get('shop')?.fault).toBeUndefined();
  expect(turns).toBeGreaterThan(1);
});
