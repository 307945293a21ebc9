import { type Static, Type } from 'typebox';
import type { Queryable } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import { ACCOUNT_ERRORS } from './errors.ts';
import { hasUsers } from './queries.ts';

/** Users who may sign up: anyone, users with an invitation, or no one. */
export const SignUpMode = Type.Enum(['open', 'invited', 'closed']);
export type SignUpMode = Static<typeof SignUpMode>;

/** Reads the options of the login page. */
export async function readSignUpOptions(
  database: Queryable,
  configured: SignUpMode,
): Promise<{ signUp: SignUpMode; hasUsers: boolean }> {
  const isInUse = await hasUsers(database);
  return { signUp: modeOf(configured, isInUse), hasUsers: isInUse };
}

/** Current mode: the first user of an installation can always sign up, since no one else could let a user in. */
function modeOf(configured: SignUpMode, isInUse: boolean): SignUpMode {
  return isInUse ? configured : 'open';
}

/**
 * Checks the mode, and reads the database only if the answer depends on it.
 * @throws ApiError `signup_closed`, `invitation_required`
 */
export async function requireSignUp(
  database: Queryable,
  configured: SignUpMode,
  isInvited: boolean,
): Promise<void> {
  if (configured === 'open') return;
  const mode = modeOf(configured, await hasUsers(database));
  if (mode === 'closed') {
    throw new ApiError(
      ACCOUNT_ERRORS.signup_closed,
      'This installation accepts no sign-ups. Ask the person who runs it for an account.',
    );
  }
  if (mode === 'invited' && !isInvited) {
    throw new ApiError(
      ACCOUNT_ERRORS.invitation_required,
      'This installation accepts sign-ups by invitation only. Ask an OWNER of your team for an invitation link.',
    );
  }
}
