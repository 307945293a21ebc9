import { type Static, Type } from 'typebox';
import { MAX_ENVIRONMENT_LENGTH } from '../environments/fold-environment.ts';
import { Cursor, IsoTime, Limit, Nullable, Timestamp } from '../http/schemas.ts';
import { toId } from '../platform/ids.ts';
import { isoTime } from '../platform/time.ts';
import { MAX_RELEASE_LENGTH } from './limits.ts';

/** Pattern of a text with more than white space, which is trimmed. */
const SOMETHING = '\\S';

/** A deploy as applications and people report it. */
export const DeployBody = Type.Object({
  release: Type.String({
    minLength: 1,
    maxLength: MAX_RELEASE_LENGTH,
    pattern: SOMETHING,
    description: 'Name of the release, the same string as in events.',
    examples: ['4.18.1'],
  }),
  environment: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_ENVIRONMENT_LENGTH,
      pattern: SOMETHING,
      description: 'Default: the environment of the project.',
      examples: ['production'],
    }),
  ),
  at: Type.Optional({ ...IsoTime, description: 'Default: now. At most 30 days ago and 5 minutes ahead.' }),
});

export const Release = Type.Object({
  version: Type.String({ examples: ['4.18.1'] }),
  projectId: Type.String(),
  firstSeen: Nullable(
    Type.String({ ...Timestamp, description: 'Time of its first event; null: there is none.' }),
  ),
  lastSeen: Nullable(Timestamp),
  deployedAt: Nullable(
    Type.String({ ...Timestamp, description: 'The first deploy that was reported, else the first event.' }),
  ),
  events: Type.Integer(),
  errors: Type.Integer({ description: 'Number of its events of severity error or critical.' }),
  newGroups: Type.Integer({ description: 'Groups that began with one of its events.' }),
});
export type Release = Static<typeof Release>;

export const ReleaseSort = Type.Enum(['last_seen', 'first_seen', 'errors']);
export type ReleaseSort = Static<typeof ReleaseSort>;

export const ReleaseQuery = Type.Object({
  project_id: Type.Optional(Type.String({ maxLength: 256 })),
  from: Type.Optional({
    ...IsoTime,
    description:
      'Releases that were deployed after this instant; by their first event, too, if no deploy was to a watched environment.',
  }),
  to: Type.Optional({
    ...IsoTime,
    description: 'Releases that were deployed before this instant, likewise.',
  }),
  sort: Type.Optional({ ...ReleaseSort, description: 'The largest first; default: `last_seen`.' }),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

export const Deploy = Type.Object({
  id: Type.String({ examples: ['dpl_01h455vb4pex5vsknk084sn02q'] }),
  projectId: Type.String(),
  release: Type.String(),
  environment: Type.String(),
  deployedAt: Timestamp,
  userId: Nullable(
    Type.String({ description: 'User who reported it; null: an application, by an API key.' }),
  ),
  createdAt: Timestamp,
  isWatched: Type.Boolean({
    description:
      'False: its environment is not watched now, so it is the cause of nothing in those that are.',
  }),
});
export type Deploy = Static<typeof Deploy>;

export const DeployQuery = Type.Object({
  release: Type.Optional(Type.String({ maxLength: 1024 })),
  environment: Type.Optional(Type.String({ maxLength: 1024 })),
  from: Type.Optional({ ...IsoTime, description: 'Deploys after this instant.' }),
  to: Type.Optional({ ...IsoTime, description: 'Deploys before this instant.' }),
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
});

export interface ReleaseRow {
  projectId: string;
  version: string;
  number: number;
  firstSeen: Date | null;
  lastSeen: Date | null;
  deployedAt: Date | null;
  events: number;
  errors: number;
  newGroups: number;
}

export interface NewDeployRow {
  id: string;
  projectId: string;
  release: string;
  environment: string;
  deployedAt: Date;
  userId: string | null;
  createdAt: Date;
}

export interface DeployRow extends NewDeployRow {
  /** True if its environment is watched now. */
  isWatched: boolean;
}

export function toRelease({ number: _number, ...row }: ReleaseRow): Release {
  return {
    ...row,
    projectId: toId('proj', row.projectId),
    firstSeen: row.firstSeen && isoTime(row.firstSeen),
    lastSeen: row.lastSeen && isoTime(row.lastSeen),
    deployedAt: row.deployedAt && isoTime(row.deployedAt),
  };
}

export function toDeploy(row: DeployRow): Deploy {
  return {
    ...row,
    id: toId('dpl', row.id),
    projectId: toId('proj', row.projectId),
    deployedAt: isoTime(row.deployedAt),
    userId: row.userId && toId('usr', row.userId),
    createdAt: isoTime(row.createdAt),
  };
}
