import { describe, expect, it } from 'vitest';
import type { Group, ListedEventRecord } from '../../../lib/api-types.ts';
import { pickMatching } from './pick-matching.ts';

// Only the fields that the function reads.
const group = (id: string) => ({ id }) as Group;
const event = (message: string | null, minute: number) =>
  ({ message, capturedAt: new Date(minute * 60_000).toISOString() }) as ListedEventRecord;

describe('the events of the groups that a search found', () => {
  it('picks events whose messages hold all words, newest first over all groups', () => {
    const found = [
      { group: group('a'), events: [event('Card 2 was REFUSED', 4), event('Card 1 is fine', 3)] },
      { group: group('b'), events: [event('refused: no such card', 5), event(null, 2)] },
    ];
    expect(pickMatching(' card  refused', found).map(({ event: { message } }) => message)).toEqual([
      'refused: no such card',
      'Card 2 was REFUSED',
    ]);
  });

  it('takes all events of a group whose words are in its frames', () => {
    const found = [{ group: group('a'), events: [event('It failed', 2), event('It failed again', 1)] }];
    expect(pickMatching('cart.ts', found)).toHaveLength(2);
  });
});
