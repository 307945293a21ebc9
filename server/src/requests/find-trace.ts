import type { Store } from '../database/database.ts';
import type { ExpensiveReads } from '../database/expensive-reads.ts';
import type { EventReader } from '../events/reader.ts';
import { describeRefusal } from '../ingestion/find-job.ts';
import { hashNamedId } from '../ingestion/requests/describe-request.ts';
import { ApiError } from '../platform/errors.ts';
import { toId, toUuid } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { findOutcome } from '../processing/queries.ts';
import { isQueued } from '../queue/queries.ts';
import { listNamedClaims, readPlainUuid } from './list-named-claims.ts';
import { type ClaimRow, countOnDisk, findDeadLetter, listSamples } from './queries.ts';
import type { Step, Trace } from './schema.ts';

export interface TraceDependencies extends Store {
  events: Pick<EventReader, 'find' | 'on'>;
  reads: Pick<ExpensiveReads, 'run'>;
}

type SearchedProject = Parameters<typeof listNamedClaims>[1];

interface TracedRequest {
  /** Id of ours, or one that its sender gave it. */
  id: string;
  /** Aborted when the client that asks has disconnected. */
  signal: AbortSignal;
}

/** Time limit of the search in the queue, which has no index of its events. */
const QUEUE_LIMIT_MS = 500;
/** Maximum difference of the clocks by which a request and its claim are dated. */
const CLOCK_TOLERANCE_MS = 5_000;

/** Finds what has become of a request to a project. */
export async function findTrace(
  dependencies: TraceDependencies,
  project: SearchedProject,
  request: TracedRequest,
): Promise<Trace> {
  const { pool } = dependencies;
  const id = request.id.trim();
  const named = { hashes: [hashNamedId(id)], requestId: id };
  const [[claim = null, ...others], samples, onDisk] = await Promise.all([
    listNamedClaims(pool, project, id),
    listSamples(pool, project.organizationId, project.id, named),
    countOnDisk(pool, project.id),
  ]);
  const refusals = samples
    .filter(({ reason }) => reason !== null)
    .map(({ at, detail }): Step => ({ step: 'refused', at: isoTime(at), detail }));
  const uuid = claim?.jobId ?? readUuid(id);
  const { signal } = request;
  const found = uuid === null ? NOTHING : await traceJob(dependencies, project, { uuid, claim, signal });
  const isTraced = found.state !== 'unknown';
  // Earlier ones are of other jobs with this id. The first one is no repeat; that of an event is a step already.
  const sinceMs = claim ? claim.createdAt.getTime() - CLOCK_TOLERANCE_MS : Number.NEGATIVE_INFINITY;
  const attempts = samples
    .filter(({ at, reason }) => reason === null && at.getTime() >= sinceMs)
    .toReversed()
    .map(
      ({ at }, index): Step => ({
        step: index === 0 ? 'accepted' : 'repeated',
        at: isoTime(at),
        detail: null,
      }),
    );
  const steps = [...refusals, ...found.steps, ...(isTraced ? attempts.slice(1) : attempts)];
  const state = isTraced ? found.state : stateOf(attempts, refusals);
  const alike = others.map(({ jobId, createdAt }) => ({
    jobId: toId('job', jobId),
    acceptedAt: isoTime(createdAt),
  }));
  return { ...found, state, steps: steps.toSorted(compareSteps), alike, onDisk };
}

/** Returns the state of a request that is only known by samples. */
function stateOf(attempts: readonly Step[], refusals: readonly Step[]): Trace['state'] {
  if (attempts.length > 0) return 'accepted';
  return refusals.length > 0 ? 'refused' : 'unknown';
}

const NOTHING: Trace = {
  state: 'unknown',
  jobId: null,
  eventId: null,
  groupId: null,
  steps: [],
  changed: [],
  scrubbed: {},
  alike: [],
  onDisk: 0,
};

/** Reads an id of ours; null: it is none. Ids of Stripe begin as those of events do. */
function readUuid(id: string): string | null {
  const uuid = toUuid('job', id) ?? toUuid('evt', id) ?? toUuid('dpl', id);
  return uuid ?? readPlainUuid(id)?.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') ?? null;
}

async function traceJob(
  dependencies: TraceDependencies,
  project: SearchedProject,
  { uuid, claim, signal }: { uuid: string; claim: ClaimRow | null; signal: AbortSignal },
): Promise<Trace> {
  const accepted: Step[] = claim ? [{ step: 'accepted', at: isoTime(claim.createdAt), detail: null }] : [];
  const trace = { ...NOTHING, jobId: toId('job', uuid), steps: accepted };
  const settled = await traceSettled(dependencies, project, uuid, trace);
  if (settled) return settled;
  const isWaiting = await isInQueue(dependencies, project, uuid, signal);
  if (isWaiting === null) return { ...trace, state: 'searching' };
  if (isWaiting) {
    const queued: Step = { step: 'queued', at: null, detail: null };
    return { ...trace, state: 'queued', steps: [...accepted, queued] };
  }
  // It may have left the queue between the two queries.
  const left = await traceSettled(dependencies, project, uuid, trace);
  if (left) return left;
  return claim ? { ...trace, state: 'removed' } : NOTHING;
}

/** Traces what has left the queue; null: it has not. */
async function traceSettled(
  { pool, events }: TraceDependencies,
  project: SearchedProject,
  uuid: string,
  trace: Trace,
): Promise<Trace | null> {
  const { id: projectId, organizationId } = project;
  const stored = await traceStored(events, project, uuid, trace);
  if (stored) return stored;
  const outcome = await findOutcome(events.on(pool), { organizationId, projectId }, uuid);
  if (!outcome) return null;
  // It was stored between the two queries.
  if (outcome.kind === 'event') return traceStored(events, project, uuid, trace);
  if (outcome.kind !== 'dead_letter') {
    const state = outcome.kind === 'deploy' ? 'deployed' : 'sampled';
    return { ...trace, state, steps: [...trace.steps, { step: state, at: null, detail: null }] };
  }
  const letter = await findDeadLetter(pool, projectId, uuid);
  const at = letter && isoTime(letter.createdAt);
  const dead: Step = { step: 'dead', at, detail: describeRefusal(outcome.refusedBy) };
  return { ...trace, state: 'dead', steps: [...trace.steps, dead] };
}

/** Traces an event that is stored; null: it is not. */
async function traceStored(
  events: Pick<EventReader, 'find'>,
  project: SearchedProject,
  uuid: string,
  trace: Trace,
): Promise<Trace | null> {
  const event = await events.find(project.organizationId, uuid);
  if (event?.projectId !== project.id) return null;
  const at = isoTime(event.receivedAt);
  const steps: Step[] = [
    ...(trace.steps.length > 0 ? trace.steps : [{ step: 'accepted' as const, at, detail: null }]),
    { step: 'stored', at: null, detail: null },
  ];
  const { changed, scrubbed } = event;
  return {
    ...trace,
    state: 'stored',
    eventId: toId('evt', uuid),
    groupId: event.groupId && toId('grp', event.groupId),
    steps,
    changed: changed ?? [],
    scrubbed: scrubbed ?? {},
  };
}

/** @returns null if the queue cannot be searched at once */
async function isInQueue(
  { reads }: TraceDependencies,
  { id, organizationId }: SearchedProject,
  uuid: string,
  signal: AbortSignal,
): Promise<boolean | null> {
  const read = { organizationId, signal, subject: 'the queue', maxRunMs: QUEUE_LIMIT_MS };
  try {
    return await reads.run(read, (database) => isQueued(database, id, uuid));
  } catch (error) {
    // It takes too long, or too many searches run.
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Compares by time; a step without one comes last. */
function compareSteps(left: Step, right: Step): number {
  if (left.at === null || right.at === null) return Number(left.at === null) - Number(right.at === null);
  return left.at < right.at ? -1 : Number(left.at > right.at);
}
