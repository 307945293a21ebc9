import { type Static, Type } from 'typebox';
import { Timestamp } from '../../http/schemas.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';

export const NoticeKind = Type.Enum([
  'member_added',
  'member_removed',
  'recovery_link_created',
  'totp_disabled',
]);
export type NoticeKind = Static<typeof NoticeKind>;

export const Notice = Type.Object({
  id: Type.String({ examples: ['ntc_01h455vb4pex5vsknk084sn02q'] }),
  kind: NoticeKind,
  organization: Type.Object({ id: Type.String(), name: Type.String() }),
  by: Type.Object({ id: Type.String(), name: Type.String() }, { description: 'The OWNER who did it.' }),
  createdAt: Timestamp,
});

export interface NoticeRow {
  id: string;
  kind: NoticeKind;
  organizationId: string;
  organizationName: string;
  actorId: string;
  actorName: string;
  createdAt: Date;
}

export function toNotice(row: NoticeRow): Static<typeof Notice> {
  return {
    id: toId('ntc', row.id),
    kind: row.kind,
    organization: { id: toId('org', row.organizationId), name: row.organizationName },
    by: { id: toId('usr', row.actorId), name: row.actorName },
    createdAt: isoTime(row.createdAt),
  };
}
