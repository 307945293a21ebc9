import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import type { Observation } from '../event/to-event.ts';
import { type EncodedEvents, type EventProject, encodeObservations } from '../intake/accept.ts';
import { isFull } from '../intake/limits.ts';
import { restrictContent, withoutCritical } from './browser-keys.ts';
import type { EnvelopeContent } from './read-items.ts';

/** Content of a request that waits for its commit, with its events as texts. */
export type EncodedContent = Omit<EnvelopeContent, 'events'> & EncodedEvents;

/**
 * Reads the events of a request and converts them to texts; one item is held as objects at a time. What a request may not
 * hold, or exceeds the quota of a key for browsers, is counted and not read.
 * @param takeEvent takes an event from the quota; false: there is none left
 */
export async function encodeContent(
  content: EnvelopeContent,
  { browser, ...project }: EventProject & Pick<KeyOwner, 'browser'>,
  receivedAtMs: number,
  takeEvent: () => boolean,
): Promise<EncodedContent> {
  const size = { events: 0, characters: 0 };
  const findRefusal = () => {
    if (isFull(size)) return 'over_limit';
    // The request has paid for its first event.
    return browser && size.events > 0 && !takeEvent() ? 'over_quota' : null;
  };
  async function* readEvents(): AsyncGenerator<Observation> {
    for await (const { kind, readers } of content.events)
      for (const [index, read] of readers.entries()) {
        const reason = findRefusal();
        if (reason !== null) {
          content.unstored.push({ kind, reason, quantity: readers.length - index });
          break;
        }
        const observation = read();
        size.events++;
        yield browser ? withoutCritical(observation) : observation;
      }
  }
  const encoded = await encodeObservations(project, readEvents(), receivedAtMs, (length) => {
    size.characters += length;
  });
  const { events: _read, ...rest } = browser ? restrictContent(content) : content;
  return { ...rest, ...encoded };
}
