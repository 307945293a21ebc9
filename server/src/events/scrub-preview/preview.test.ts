import { expect, it } from 'vitest';
import { countTurns } from '../../../test/support/count-turns.ts';
import { inTurns } from '../../platform/timing/turns.ts';
import { toScrubSettings } from '../../scrubbing/scrub.ts';
import { sumReplacements } from './preview.ts';

const CHOICES = { names: ['tax id'], safe: [], off: [], personal: [] };

const LARGE_EVENT = {
  id: '00000000-0000-7000-8000-000000000000',
  type: 'order',
  source: null,
  message: 'Paid',
  release: null,
  correlation: {},
  payload: { list: Array.from({ length: 20_000 }, (_, index) => `tax_id=DE-x7f3a-${index} of the customer`) },
  scrubbed: null,
};

it('gives the event loop turns between the passes over the texts of one large event', async () => {
  const settings = toScrubSettings(CHOICES);
  const { result: rules, turns } = await countTurns(() => inTurns(sumReplacements([LARGE_EVENT], settings)));
  expect(rules).toContainEqual(expect.objectContaining({ rule: 'key', found: 20_000 }));
  expect(turns).toBeGreaterThan(0);
});
