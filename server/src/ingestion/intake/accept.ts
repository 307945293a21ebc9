import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { ApiError } from '../../platform/errors.ts';
import { toId } from '../../platform/ids.ts';
import type { Claim } from '../../queue/queue.ts';
import type { ScrubSettings } from '../../scrubbing/scrub.ts';
import { API_KEY_ERRORS } from '../../tenancy/api-keys/errors.ts';
import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import type { KeyUsage } from '../authentication/key-usage.ts';
import type { AcceptedEvent } from '../event/schema.ts';
import { type Observation, toQueuedEvent } from '../event/to-event.ts';
import type { Intake } from './intake.ts';
import { BYTES_A_TURN } from './limits.ts';
import type { Connection } from './waiting-lines.ts';

export interface AcceptDependencies {
  intake: Intake;
  usage: KeyUsage;
  clock: Clock;
  /** Choices of a project about secrets, by its UUID; undefined: those of default. */
  scrubSettingsOf: (projectId: string) => ScrubSettings | undefined;
}

/** Owner of a request's key, and the request's connection. */
export interface Sender {
  owner: Pick<KeyOwner, 'keyId' | 'projectId'>;
  connection: Connection;
  /** Time for which it waits for a place in the intake: its client does not send again what is refused. */
  patienceMs?: number;
  /** Events that were taken from quotas for the request; absent: no quota limits it. */
  taken?: QuotaShare;
}

/** Part of quotas that a request has. */
interface QuotaShare {
  /** Adds events by `add`, and gives them back if it fails or they are a repeat. */
  settle: (events: number, add: () => Promise<Claim | null>) => Promise<Claim | null>;
}

export interface Receipt {
  receivedAtMs: number;
  /** Key that recognises a repeat of the request; null: repeats are not recognised. */
  claimKey: string | null;
}

/**
 * Makes an observation durable; a repeat adds nothing.
 * @returns its job, or that of the request which it repeats
 * @throws ApiError as `acceptEvents`
 */
export async function acceptObservation(
  dependencies: AcceptDependencies,
  sender: Sender,
  observation: Observation,
  { receivedAtMs, claimKey }: Receipt,
): Promise<AcceptedEvent> {
  const { projectId } = sender.owner;
  const event = toQueuedEvent(projectId, observation, receivedAtMs, dependencies.scrubSettingsOf(projectId));
  const claim = claimKey === null ? null : { key: claimKey, jobId: event.id, answer: null };
  const repeated = await acceptEvents(dependencies, sender, [JSON.stringify(event)], claim);
  return { jobId: toId('job', repeated?.jobId ?? event.id), status: 'queued' };
}

/** Project of the events of one request. */
export interface EventProject {
  projectId: string;
  scrubSettings?: ScrubSettings | undefined;
}

/** Events of one request. */
export interface EncodedEvents {
  /** Events as JSON texts. */
  texts: string[];
  /** Id of the first one; null: there is none. */
  firstId: string | null;
}

/**
 * Converts observations to events as texts, and gives other requests their turns between them. One is held as an object at
 * a time where a generator makes them.
 * @param onEncoded called with the length of each text before the next observation is made
 */
export async function encodeObservations(
  { projectId, scrubSettings }: EventProject,
  observations: Iterable<Observation> | AsyncIterable<Observation>,
  receivedAtMs: number,
  onEncoded?: (length: number) => void,
): Promise<EncodedEvents> {
  const encoded: EncodedEvents = { texts: [], firstId: null };
  let turnBytes = 0;
  for await (const observation of observations) {
    if (turnBytes >= BYTES_A_TURN) {
      turnBytes = 0;
      await nextTurn();
    }
    const event = toQueuedEvent(projectId, observation, receivedAtMs, scrubSettings);
    const text = JSON.stringify(event);
    encoded.firstId ??= event.id;
    encoded.texts.push(text);
    turnBytes += text.length;
    onEncoded?.(text.length);
  }
  return encoded;
}

/**
 * Makes the events of one request durable.
 * @param events as JSON texts
 * @returns the earlier claim if the request is a repeat, of which nothing was added
 * @throws ApiError `invalid_api_key` if the key was revoked since its last lookup; `project_over_share` or
 * `unavailable` if the intake is full, the database does not answer, or the client left meanwhile
 */
export function acceptEvents(
  dependencies: AcceptDependencies,
  { taken, ...sender }: Sender,
  events: string[],
  claim: Claim | null,
): Promise<Claim | null> {
  const append = () => appendEvents(dependencies, sender, events, claim);
  return taken ? taken.settle(events.length, append) : append();
}

async function appendEvents(
  { intake, usage, clock }: AcceptDependencies,
  { owner: { keyId, projectId }, connection, patienceMs }: Sender,
  events: string[],
  claim: Claim | null,
): Promise<Claim | null> {
  const result = await intake.append({ projectId, keyId, events, claim }, connection, patienceMs);
  if (result.status === 'refused')
    throw new ApiError(API_KEY_ERRORS.invalid_api_key, 'The API key is no longer valid.');
  usage.note(keyId, clock.now());
  return result.status === 'repeated' ? result.claim : null;
}
