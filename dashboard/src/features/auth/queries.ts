import { request } from '../../lib/api.ts';
import type { LogIn, SessionRecord, SignUp } from '../../lib/api-types.ts';
import { forgetDraftsOfOthers } from '../../lib/draft.ts';
import { queryClient, sessionQuery } from '../../lib/queries.ts';

export const signUp = (body: SignUp) => request<SessionRecord>('POST', '/auth/signup', { body });

export const logIn = (body: LogIn) => request<SessionRecord>('POST', '/auth/login', { body });

/** Sets the session's user and drops the data of the previous one. */
export function beginSession(session: SessionRecord): void {
  forgetDraftsOfOthers(session.user.id);
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, session);
}
