import { MINUTE_MS } from '../../platform/durations.ts';
import { heldUntil } from '../../platform/stored-times.ts';
import { isCriticalOpening } from './defer-messages.ts';
import type { Message, Situation, Step, WaitingDelivery } from './situation.ts';

/**
 * Within this window an incident is brought up to date once, except for what opens, worsens, resolves or acknowledges
 * it.
 */
export const WINDOW_MS = 10 * MINUTE_MS;
/** Maximum new messages of a target in the window; further ones become a digest. */
const MAX_MESSAGES = 10;
/** Up to this many in the window, an opening at severity critical, or a rise to it, waits for nothing. */
const MAX_CRITICALS = 5;
/** Wait before the first digest, so that it includes what arrives together. */
const GATHER_MS = 5_000;
const DIGEST_INTERVAL_MS = MINUTE_MS;
/** Maximum digests of a window that are messages of their own: with them a storm is at most 12 messages. */
const MAX_DIGESTS = 2;

/**
 * Sends messages of their own up to the limit, the worst first; the others wait for a digest. Critical openings are
 * no part of a storm of lesser changes: they pass beyond the limit, up to one of their own.
 */
export function boundStorm(
  messages: readonly Message[],
  { recent, canEdit, nowMs }: Pick<Situation, 'recent' | 'canEdit' | 'nowMs'>,
): Step[] {
  // A digest is sent as itself; one that was made in the previous round is not among the recent messages yet.
  const isDigest = ({ delivery }: Message) => delivery.subjectKind === 'digest';
  const digests = messages.filter(isDigest);
  const made = digests.filter(({ delivery }) => delivery.attempts === 0);
  const ofStorms = made.filter(({ delivery }) => delivery.change === 'digest');
  const digestsMs = [...recent.digestsMs, ...ofStorms.map(() => nowMs)];
  const ofBudgets = made.length - ofStorms.length;
  const others = messages.filter((each) => !isDigest(each));
  // AttemptResult messages count already.
  const begun = others.filter(({ delivery }) => delivery.attempts > 0);
  const fresh = others.filter(({ delivery }) => delivery.attempts === 0);
  const criticals = fresh
    .filter(({ delivery }) => isCriticalOpening(delivery))
    .slice(0, Math.max(0, MAX_CRITICALS - recent.criticals));
  const lesser = fresh.filter((each) => !criticals.includes(each));
  const room = Math.max(0, MAX_MESSAGES - recent.messages - criticals.length - ofBudgets);
  const isStorm = lesser.length > room;
  // Once a digest was sent, the rest of its storm goes into the next one.
  const single = isStorm && digestsMs.length > 0 ? 0 : room;
  const steps = [...criticals, ...digests, ...begun, ...lesser.slice(0, single)].map(
    (message): Step => ({
      kind: 'send',
      delivery: message.delivery,
      isEdit: false,
      collapsed: collapsedOf(message),
    }),
  );
  const rest = lesser.slice(single);
  if (rest.length === 0) return steps;
  const untilMs = nextDigest(
    rest.map(({ delivery }) => delivery),
    { digestsMs, canEdit, nowMs },
  );
  const ids = rest.flatMap((message) => [message.delivery.id, ...collapsedOf(message)]);
  if (untilMs > nowMs) return [...steps, { kind: 'postpone', ids, untilMs }];
  // `rest` is sorted by severity, the worst first.
  return [...steps, { kind: 'digest', ids, severity: rest[0]?.delivery.severity ?? 'info', routeId: null }];
}

/**
 * When the next digest may be sent. An editable one grows minute by minute; otherwise there are two in ten minutes.
 */
function nextDigest(
  rest: readonly WaitingDelivery[],
  { digestsMs, canEdit, nowMs }: { digestsMs: readonly number[]; canEdit: boolean; nowMs: number },
): number {
  const last = digestsMs.at(-1);
  if (last === undefined) {
    const oldestMs = rest.reduce((least, { createdMs }) => Math.min(least, createdMs), Infinity);
    return heldUntil(oldestMs + GATHER_MS, GATHER_MS, nowMs);
  }
  const [first = last] = digestsMs.slice(-MAX_DIGESTS);
  if (canEdit || digestsMs.length < MAX_DIGESTS) return last + DIGEST_INTERVAL_MS;
  return Math.max(last + DIGEST_INTERVAL_MS, first + WINDOW_MS);
}

export function collapsedOf({ delivery, group }: Message): string[] {
  return group.filter(({ id }) => id !== delivery.id).map(({ id }) => id);
}
