import { type Static, Type } from 'typebox';
import { Name, Nullable, Timestamp } from '../../http/schemas.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import type { AuditRow } from '../audit/queries.ts';
import { NullableToken, toNamedToken } from '../maker-token.ts';
import { Plan, Role } from '../session.ts';
import { toUser, User, type UserRow } from '../user.ts';

/** The organization in answers about the account, as the specification defines it. */
export const OrganizationSummary = Type.Object({
  id: Type.String({ examples: ['org_01h455vb4pex5vsknk084sn02q'] }),
  name: Type.String(),
  plan: Plan,
});

export const Organization = Type.Object({ ...OrganizationSummary.properties, createdAt: Timestamp });

export const Member = Type.Object({
  role: Role,
  user: User,
  createdAt: Timestamp,
  confirmedAt: Nullable(
    Type.String({
      ...Timestamp,
      description:
        'Time at which the user agreed to the membership, which lets OWNERs make recovery links; null: an OWNER added the user, who has not chosen to stay.',
    }),
  ),
});

export const OrganizationPatch = Type.Object({
  name: Type.Optional(Name('Display name')),
  plan: Type.Optional(Plan),
});

export const NewMember = Type.Object({
  userId: Type.String({ maxLength: 256, description: 'Id of an existing user (`usr_…`).' }),
  role: Type.Optional(Type.Enum(['OWNER', 'MEMBER'], { default: 'MEMBER' })),
});

export const MemberPatch = Type.Object({ role: Role });

export const AuditEntry = Type.Object({
  id: Type.String(),
  action: Type.String({ examples: ['project.created'] }),
  targetId: Type.String({ description: 'Id of what was changed.' }),
  user: Type.Object({ id: Type.String(), name: Nullable(Type.String()) }),
  token: NullableToken('The access token of the user that did it; null: a login.'),
  before: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
  }),
  after: Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
  }),
  createdAt: Timestamp,
});

export interface OrganizationRow {
  id: string;
  name: string;
  plan: Plan;
  createdAt: Date;
}

export function toOrganization(row: OrganizationRow): Static<typeof Organization> {
  return { id: toId('org', row.id), name: row.name, plan: row.plan, createdAt: isoTime(row.createdAt) };
}

export interface MemberRow extends UserRow {
  role: Role;
  createdAt: Date;
  confirmedAt: Date | null;
}

export function toMember(row: MemberRow): Static<typeof Member> {
  return {
    role: row.role,
    user: toUser(row),
    createdAt: isoTime(row.createdAt),
    confirmedAt: row.confirmedAt && isoTime(row.confirmedAt),
  };
}

export function toAuditEntry(row: AuditRow): Static<typeof AuditEntry> {
  return {
    id: toId('aud', row.id),
    action: row.action,
    targetId: row.targetId,
    user: { id: toId('usr', row.userId), name: row.userName },
    token: toNamedToken(row.tokenId === null ? null : { id: row.tokenId, name: row.tokenName ?? '' }),
    before: row.before,
    after: row.after,
    createdAt: isoTime(row.createdAt),
  };
}
