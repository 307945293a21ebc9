import { type Static, Type } from 'typebox';
import { toId } from '../platform/ids.ts';

export const User = Type.Object({
  id: Type.String({ examples: ['usr_01h455vb4pex5vsknk084sn02q'] }),
  name: Type.String(),
  email: Type.String(),
});
export type User = Static<typeof User>;

export interface UserRow {
  id: string;
  name: string;
  email: string;
}

export function toUser(row: UserRow): User {
  return { id: toId('usr', row.id), name: row.name, email: row.email };
}
