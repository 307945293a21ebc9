import type { Transaction } from '../database/database.ts';
import { confirmedTime } from '../platform/clock.ts';
import type { GroupRow } from './group-row.ts';
import { lockGroups } from './queries.ts';
import { OPEN } from './state-queries.ts';
import { writeStates } from './write-states.ts';

/**
 * Locks groups until the transaction ends, and writes those as open whose mute has ended by time, as readers see them
 * already: with the end of the mute as its time in the history, before that of any further change.
 * @returns the groups as they are then; deleted ones are left out
 */
export async function lockGroupsForChange(
  transaction: Transaction,
  groupIds: readonly string[],
): Promise<GroupRow[]> {
  const locked = await lockGroups(transaction, groupIds);
  const nowMs = confirmedTime(transaction);
  const ended = locked.flatMap((before) => {
    const { state, muteUntil: at } = before;
    if (state !== 'muted' || at === null || at.getTime() > nowMs) return [];
    return [{ before, after: { ...before, ...OPEN }, at }];
  });
  if (ended.length === 0) return locked;
  await writeStates(transaction, ended, null);
  const opened = new Map(ended.map(({ after }) => [after.id, after]));
  return locked.map((group) => opened.get(group.id) ?? group);
}
