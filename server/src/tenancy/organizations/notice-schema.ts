import { type Static, Type } from 'typebox';
import type { Rewind } from '../../database/position-watch.ts';
import { Nullable, Timestamp } from '../../http/schemas.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';

export const NoticeKind = Type.Enum([
  'member_added',
  'member_removed',
  'recovery_link_created',
  'totp_disabled',
  'environment_unwatched',
  'dead_letters',
  'quota_exceeded',
  'database_rewound',
]);
export type NoticeKind = Static<typeof NoticeKind>;

export const Notice = Type.Object({
  id: Type.String({ examples: ['ntc_01h455vb4pex5vsknk084sn02q'] }),
  kind: NoticeKind,
  organization: Type.Object({ id: Type.String(), name: Type.String() }),
  by: Nullable(
    Type.Object(
      { id: Type.String(), name: Type.String() },
      { description: 'The OWNER who did it; null: the service found it.' },
    ),
  ),
  project: Nullable(Type.Object({ id: Type.String(), name: Type.String() })),
  environment: Nullable(
    Type.String({
      description: 'Environment of nearly all events of the project in an hour, which is not watched.',
    }),
  ),
  refused: Nullable(
    Type.Integer({ description: 'Events that a quota of the project has refused since `createdAt`.' }),
  ),
  lost: Nullable(
    Type.Object(
      { from: Nullable(Timestamp), until: Timestamp },
      {
        description:
          'Interval of which commits are missing, as the database went back in time; `from` is null where its newest data has no time.',
      },
    ),
  ),
  createdAt: Timestamp,
});

export interface NoticeRow {
  id: string;
  kind: NoticeKind;
  organizationId: string;
  organizationName: string;
  /** Null: the service found it. */
  actorId: string | null;
  actorName: string | null;
  /** Null: it is about a membership. */
  projectId: string | null;
  projectName: string | null;
  environment: string | null;
  /** Null: it is not about a quota. */
  refused: number | null;
  /** Interval of lost commits; null: it is not about a database that went back in time. */
  lost: Pick<Rewind, 'fromMs' | 'untilMs'> | null;
  createdAt: Date;
}

export function toNotice(row: NoticeRow): Static<typeof Notice> {
  return {
    id: toId('ntc', row.id),
    kind: row.kind,
    organization: { id: toId('org', row.organizationId), name: row.organizationName },
    by: toNamed('usr', row.actorId, row.actorName),
    project: toNamed('proj', row.projectId, row.projectName),
    environment: row.environment,
    refused: row.refused,
    lost: row.lost && {
      from: row.lost.fromMs === null ? null : isoTime(row.lost.fromMs),
      until: isoTime(row.lost.untilMs),
    },
    createdAt: isoTime(row.createdAt),
  };
}

function toNamed(prefix: 'usr' | 'proj', id: string | null, name: string | null) {
  return id === null || name === null ? null : { id: toId(prefix, id), name };
}
