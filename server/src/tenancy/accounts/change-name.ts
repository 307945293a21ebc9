import { inTransaction, type Store } from '../../database/database.ts';
import { recordChange } from '../audit/record-change.ts';
import type { Session } from '../session.ts';
import { lockUser, updateName } from './queries.ts';

/** Changes the name of the session's user, everywhere at once. */
export async function changeName(store: Store, session: Session, text: string): Promise<Session> {
  const { id } = session.user;
  const name = text.trim();
  await inTransaction(store, async (transaction) => {
    const before = await lockUser(transaction, id);
    if (!before || before.name === name) return;
    await updateName(transaction, id, name);
    await recordChange(transaction, session, {
      action: 'account.renamed',
      target: ['usr', id],
      before: { name: before.name },
      after: { name },
    });
  });
  return { ...session, user: { ...session.user, name } };
}
