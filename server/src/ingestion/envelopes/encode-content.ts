import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import type { Observation } from '../event/to-event.ts';
import { type EncodedEvents, type EventProject, encodeObservations } from '../intake/accept.ts';
import { isFull } from '../intake/limits.ts';
import type { TakenEvents } from '../quotas/taken-events.ts';
import { restrictContent, withoutCritical } from './browser-keys.ts';
import type { EnvelopeContent } from './read-items.ts';

/** Content of a request that waits for its commit, with its events as texts. */
export interface EncodedContent extends Omit<EnvelopeContent, 'events'>, EncodedEvents {
  /** Kind of each event. */
  kinds: string[];
}

/**
 * Reads the events of a request and converts them to texts; one item is held as objects at a time. What a request may not
 * hold is counted and not read.
 */
export async function encodeContent(
  content: EnvelopeContent,
  { browser, ...project }: EventProject & Pick<KeyOwner, 'browser'>,
  receivedAtMs: number,
): Promise<EncodedContent> {
  const size = { events: 0, characters: 0 };
  const kinds: string[] = [];
  async function* readEvents(): AsyncGenerator<Observation> {
    for await (const { kind, readers } of content.events)
      for (const [index, read] of readers.entries()) {
        if (isFull(size)) {
          content.unstored.push({ kind, reason: 'over_limit', quantity: readers.length - index });
          break;
        }
        const observation = read();
        size.events++;
        kinds.push(kind);
        yield browser ? withoutCritical(observation) : observation;
      }
  }
  const encoded = await encodeObservations(project, readEvents(), receivedAtMs, (length) => {
    size.characters += length;
  });
  const { events: _read, ...rest } = browser ? restrictContent(content) : content;
  return { ...rest, ...encoded, kinds };
}

/** Leaves the events out that a quota refuses, and counts them. */
export function limitContent(
  { texts, kinds, unstored, ...content }: EncodedContent,
  { events, refusal }: Pick<TakenEvents, 'events' | 'refusal'>,
): EncodedContent {
  const refused = kinds.slice(events).map((kind) => ({ kind, reason: 'over_quota', quantity: 1 }));
  return {
    ...content,
    texts: texts.slice(0, events),
    kinds: kinds.slice(0, events),
    firstId: events > 0 ? content.firstId : null,
    unstored: [...unstored, ...refused],
    refusal: content.refusal ?? refusal,
  };
}
