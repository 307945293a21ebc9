import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../database/database.ts';
import { requireSignUp } from './sign-up-policy.ts';

/** A database that has users or none, and counts its queries. */
function database(isInUse: boolean) {
  const asked: string[] = [];
  const query = async (text: string) => {
    asked.push(text);
    return { rows: [{ exists: isInUse }] };
  };
  return { asked, queryable: { query } as unknown as Queryable };
}

describe('requireSignUp', () => {
  it('asks the database nothing while anyone may sign up', async () => {
    const { asked, queryable } = database(true);
    await requireSignUp(queryable, 'open', false);
    expect(asked).toEqual([]);
  });

  it('lets the first user sign up in each mode', async () => {
    for (const mode of ['invited', 'closed'] as const) {
      const { asked, queryable } = database(false);
      await requireSignUp(queryable, mode, false);
      expect(asked).toHaveLength(1);
    }
  });

  it('refuses users after the first one by the mode', async () => {
    const { queryable } = database(true);
    await requireSignUp(queryable, 'invited', true);
    await expect(requireSignUp(queryable, 'invited', false)).rejects.toMatchObject({
      code: 'invitation_required',
    });
    await expect(requireSignUp(queryable, 'closed', true)).rejects.toMatchObject({ code: 'signup_closed' });
  });
});
