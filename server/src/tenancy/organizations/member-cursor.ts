import { ApiError } from '../../platform/errors.ts';
import { decodeUuid, toId } from '../../platform/ids.ts';

/** A position in the list of members: when the last one of a page joined, and its user. */
export interface MemberPlace {
  joinedAt: Date;
  userId: string;
}

/** Time and id, so that the position stays even if its member leaves meanwhile. */
export function toMemberCursor({ joinedAt, userId }: MemberPlace): string {
  return `${joinedAt.getTime().toString(36)}-${toId('usr', userId).slice('usr_'.length)}`;
}

/** @throws ApiError `validation_failed` */
export function readMemberCursor(cursor: string | undefined): MemberPlace | null {
  if (cursor === undefined) return null;
  const [, time = '', id = ''] = /^([0-9a-z]{1,9})-([0-9a-z]{26})$/.exec(cursor) ?? [];
  const userId = decodeUuid(id);
  if (userId) return { joinedAt: new Date(Number.parseInt(time, 36)), userId };
  throw new ApiError('validation_failed', 'query/cursor does not come from a list.', {
    fields: [{ pointer: '/cursor', message: 'does not come from a list' }],
  });
}
