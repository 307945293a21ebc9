import type { GroupHistoryRecord } from '../../../lib/api-types.ts';
import { describeState } from '../group-words.ts';
import { texts } from '../texts.ts';

type Values = Record<string, unknown>;

/** Describes an entry after the person's name: "resolved it in 4.18.0"; without a person as a whole sentence. */
export function describeEntry(
  { userId, before, after }: Pick<GroupHistoryRecord, 'userId' | 'before' | 'after'>,
  nowMs: number,
  nameOf: (userId: string) => string,
): string {
  const isOwn = userId === null;
  const words = texts.history;
  if (Array.isArray(after['merged'])) return words.merged(after['merged'].length);
  if (Array.isArray(after['separated'])) return words.separated(after['separated'].length);
  if ('mergedInto' in after) return after['mergedInto'] === null ? words.takenOut : words.mergedAway;
  const parts: string[] = [];
  if (isOwn && before['state'] === 'resolved') return words.regressed(textOf(after['regressedIn']));
  if (isOwn && before['state'] === 'muted') return words.unmuted;
  if (describe(before, nowMs) !== describe(after, nowMs))
    parts.push(after['state'] === 'open' ? words.reopened : words.became(describe(after, nowMs)));
  if (before['assigneeId'] !== after['assigneeId']) {
    const assignee = textOf(after['assigneeId']);
    parts.push(
      assignee === null
        ? words.unassigned
        : assignee === userId
          ? words.assignedSelf
          : words.assigned(nameOf(assignee)),
    );
  }
  return parts.join(words.and) || words.changed;
}

function describe(values: Values, nowMs: number): string {
  const state = values['state'];
  if (state !== 'resolved' && state !== 'muted') return texts.states.open;
  const resolution = values['resolution'];
  return describeState(
    {
      state,
      resolution: resolution === 'current' || resolution === 'next' ? resolution : 'now',
      resolvedIn: textOf(values['resolvedIn']),
      muteUntil: textOf(values['muteUntil']),
      muteForCount: numberOf(values['muteForCount']),
      mutePeriodSeconds: numberOf(values['mutePeriodSeconds']),
    },
    nowMs,
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
