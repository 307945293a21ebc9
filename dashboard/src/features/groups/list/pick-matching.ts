import type { Group, ListedEventRecord } from '../../../lib/api-types.ts';

export interface FoundEvent {
  group: Group;
  event: ListedEventRecord;
}

/**
 * Picks the events of groups that a search for words found, newest first. If messages of a group hold the words, only those
 * count; otherwise the words are in its frames or in older messages, and all of its events count.
 */
export function pickMatching(
  words: string,
  found: readonly { group: Group; events: readonly ListedEventRecord[] }[],
): FoundEvent[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const holdsAll = ({ message }: ListedEventRecord) =>
    wanted.every((word) => message?.toLowerCase().includes(word));
  return found
    .flatMap(({ group, events }) => {
      const matching = events.filter(holdsAll);
      return (matching.length > 0 ? matching : events).map((event) => ({ group, event }));
    })
    .toSorted((one, other) => Date.parse(other.event.capturedAt) - Date.parse(one.event.capturedAt));
}
