import { POOLED_TAILS_BYTES } from '../calibration/pooled-tails.ts';
import { SHARE_BYTES, ShareState } from '../exposure/share-state.ts';
import type { SavedGroup } from '../group/series-group.ts';
import type { SavedSparseSeries } from '../group/sparse-series.ts';
import type { SavedSeries } from '../group/tracked-series.ts';
import type { SavedHeartbeat } from '../heartbeat/heartbeat-state.ts';
import type { SavedProject } from '../project/project-parts.ts';
import type { Trials } from '../project/share-monitor.ts';
import { ExpectedSilence } from '../series/expected-silence.ts';
import { COARSE_STEPS, type CoarseStep } from '../state/resolution.ts';
import { coarseLayoutOf, FULL_LAYOUT, type SeriesLayout } from '../state/series-layout.ts';
import { SeriesState } from '../state/series-state.ts';

/** Raised, as is `DETECTOR_VERSION`, where saved bytes change their meaning: the detection of all projects is reset then. */
const VERSION = 1;
const HEAD_BYTES = 4;

type GroupFields = Omit<SavedGroup, 'tracked' | 'pooledTails'> & { tracked: Omit<SavedSeries, 'state'>[] };
type HeartbeatFields = Omit<SavedHeartbeat, 'quietHours'> & {
  quietHours: Omit<SavedHeartbeat['quietHours'], 'halfHours'> & { halfHours: string };
};

/** A project as JSON: bytes of few series in base64, all other bytes beside it. */
type Head = Omit<SavedProject, 'group' | 'heartbeats' | 'shares' | 'sparse'> & {
  version: number;
  group: GroupFields;
  heartbeats: [index: number, heartbeat: HeartbeatFields][];
  shares: [index: number, firstMinute: number, trials: Trials][];
  sparse: Omit<SavedSparseSeries, 'groups' | 'silences'> & {
    groups: GroupFields[];
    silences: [index: number, bytes: string][];
  };
};

/**
 * Bytes of a length, as much JSON, then the pooled tails of the project and the state of each series; the same of sparse
 * series, by coarse step; then each share.
 */
export function toBytes(project: SavedProject): Uint8Array {
  const { group, heartbeats, shares, sparse, ...others } = project;
  const head: Head = {
    version: VERSION,
    ...others,
    group: fieldsOf(group),
    heartbeats: heartbeats.map(([index, { quietHours, ...heartbeat }]) => {
      const halfHours = toBase64(quietHours.halfHours);
      return [index, { ...heartbeat, quietHours: { ...quietHours, halfHours } }];
    }),
    shares: shares.map(([index, { trials, state }]) => [index, state.firstMinute, trials]),
    sparse: {
      ...sparse,
      groups: sparse.groups.map(fieldsOf),
      silences: sparse.silences.map(([index, silence]) => [index, toBase64(silence.toBytes())]),
    },
  };
  const json = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(HEAD_BYTES);
  length.writeUInt32LE(json.length);
  const ofGroups = [group, ...sparse.groups].flatMap(({ pooledTails, tracked }) => [
    pooledTails,
    ...tracked.map(({ state }) => state.toBytes()),
  ]);
  return Buffer.concat([length, json, ...ofGroups, ...shares.map(([, { state }]) => state.toBytes())]);
}

function fieldsOf({ tracked, pooledTails: _tails, ...group }: SavedGroup): GroupFields {
  // By name: each may be a view, whose fields are read from a record.
  const fields = tracked.map(({ weight, count, lateCount, hasNewCounts, isErrorSeries, isPartial }) => ({
    weight,
    count,
    lateCount,
    hasNewCounts,
    isErrorSeries,
    isPartial,
  }));
  return { ...group, tracked: fields };
}

/** Null where the bytes are of another version: then the detection state of the project is reset. */
export function fromBytes(bytes: Uint8Array): SavedProject | null {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let end = HEAD_BYTES + all.readUInt32LE(0);
  const take = (length: number) => all.subarray(end, (end += length));
  // Written by `toBytes`; another version may have other keys, and is not read.
  const head = JSON.parse(all.toString('utf8', HEAD_BYTES, end)) as Head;
  const { version, group, heartbeats, shares, sparse, ...others } = head;
  if (version !== VERSION) return null;
  // All parts are taken in the order in which they lie.
  return {
    ...others,
    group: takeGroup(group, FULL_LAYOUT, take),
    heartbeats: heartbeats.map(([index, { quietHours, ...heartbeat }]) => {
      const halfHours = new Uint8Array(Buffer.from(quietHours.halfHours, 'base64'));
      return [index, { ...heartbeat, quietHours: { ...quietHours, halfHours } }];
    }),
    sparse: {
      ...sparse,
      groups: sparse.groups.map(
        (fields, at) => takeGroup(fields, coarseLayoutOf(COARSE_STEPS[at] as CoarseStep), take), // a group is saved for each step
      ),
      silences: sparse.silences.map(([index, silence]) => [
        index,
        new ExpectedSilence(Buffer.from(silence, 'base64')),
      ]),
    },
    shares: shares.map(([index, firstMinute, trials]) => [
      index,
      { trials, state: new ShareState(firstMinute, take(SHARE_BYTES)) },
    ]),
  };
}

function takeGroup(
  { tracked, ...group }: GroupFields,
  layout: SeriesLayout,
  take: (length: number) => Uint8Array,
): SavedGroup {
  const pooledTails = take(POOLED_TAILS_BYTES);
  const withStates = tracked.map((fields) => ({
    ...fields,
    state: new SeriesState(take(layout.end), layout),
  }));
  return { ...group, pooledTails, tracked: withStates };
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
