import { type Static, Type } from 'typebox';
import { Name } from '../platform/http/schemas.ts';
import { toId } from '../platform/ids.ts';

export const User = Type.Object({
  id: Type.String({ examples: ['usr_01h455vb4pex5vsknk084sn02q'] }),
  name: Type.String(),
  email: Type.String(),
});
export type User = Static<typeof User>;

const Email = Type.String({ maxLength: 400, format: 'email-address' });

const NewPassword = Type.String({
  minLength: 8,
  maxLength: 1024,
  description: 'At least 8 characters, at most 1,024 bytes.',
});

export const SignUpBody = Type.Object({ name: Name('Full name'), email: Email, password: NewPassword });

export const LogInBody = Type.Object({
  email: Type.String({ maxLength: 400 }),
  password: Type.String({ maxLength: 1024 }),
});

export const ChangePasswordBody = Type.Object({
  current: Type.String({ maxLength: 1024 }),
  new: NewPassword,
});

export const Message = Type.Object({ message: Type.String() });

export interface UserRow {
  id: string;
  name: string;
  email: string;
}

export function toUser(row: UserRow): User {
  return { id: toId('usr', row.id), name: row.name, email: row.email };
}
