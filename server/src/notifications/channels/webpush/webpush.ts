import { type Static, Type } from 'typebox';
import { toUuid } from '../../../platform/ids.ts';
import { type Attempt, defineChannel } from '../base/channel.ts';
import type { Outcome } from '../base/outcome.ts';
import type { BrowserOutcome } from '../base/push.ts';
import { toPush } from './payload.ts';

const Config = Type.Object({
  userId: Type.Optional(
    Type.String({
      description: 'A member: their browsers alone. Left out: those of all members.',
      pattern: '^usr_[0-9a-z]{26}$',
      examples: ['usr_01h455vb4pex5vsknk084sn02q'],
    }),
  ),
});
type Config = Static<typeof Config>;

/** Browsers in which members have switched notifications on (RFC 8030): those of one member, or of all. */
export const webpush = defineChannel<Config>({
  transport: 'direct',
  label: 'Browsers',
  schema: Config,
  fields: { userId: 'open' },
  check: ({ userId }) =>
    userId === undefined || toUuid('usr', userId)
      ? []
      : [{ field: 'userId', message: 'is not the id of a user' }],
  describe: ({ userId }) => (userId === undefined ? 'all members' : 'one member'),
  rate: { burst: 20, perSecond: 1 },
  canEdit: () => false,
  deliver: async ({ config, message, organizationId, acceptedBy, services }: Attempt<Config>) => {
    const userId = config.userId === undefined ? null : (toUuid('usr', config.userId) ?? null);
    const results = await services.pushToBrowsers({ organizationId, userId, acceptedBy }, toPush(message));
    return {
      outcome: outcomeOf(results, acceptedBy),
      status: statusOf(results),
      body: describeResults(results),
    };
  },
});

function outcomeOf(results: readonly BrowserOutcome[], before: readonly string[]): Outcome {
  const acceptedBy = [...before];
  const waitsMs: (number | null)[] = [];
  let reason: string | null = null;
  for (const { browserId, pushed } of results) {
    if (pushed.kind === 'accepted') acceptedBy.push(browserId);
    else if (pushed.kind === 'retry') waitsMs.push(pushed.retryAfterMs);
    if (pushed.kind !== 'accepted') reason ??= pushed.reason;
  }
  if (waitsMs.length > 0) {
    const asked = waitsMs.filter((ms) => ms !== null);
    // No push service is asked before its own wait is over, so the longest one counts.
    const retryAfterMs = asked.length > 0 ? asked.reduce((most, ms) => Math.max(most, ms)) : null;
    const why = { reason: reason ?? '', retryAfterMs };
    return acceptedBy.length > 0 ? { kind: 'partial', ...why, acceptedBy } : { kind: 'retry', ...why };
  }
  if (acceptedBy.length > 0) return { kind: 'delivered', remote: null };
  // A browser that refuses says nothing about the target, which has others.
  return {
    kind: 'permanent',
    reason: reason ?? 'No browser has notifications turned on. Members do that in Settings → Account.',
    isTargetRefused: false,
  };
}

/** Status of the browsers that did not accept, if any: it explains the reason that is shown beside it. */
function statusOf(results: readonly BrowserOutcome[]): number | null {
  const telling = results.find(({ pushed }) => pushed.kind !== 'accepted') ?? results[0];
  return telling?.pushed.status ?? null;
}

const WORDS = {
  accepted: 'accepted',
  retry: 'to be tried again',
  gone: 'gone',
  refused: 'refused',
} as const;

/** Describes the results for the log: "3 browsers: 2 accepted, 1 gone". */
function describeResults(results: readonly BrowserOutcome[]): string {
  const kinds = Object.keys(WORDS) as (keyof typeof WORDS)[];
  const parts = kinds.flatMap((kind) => {
    const count = results.filter(({ pushed }) => pushed.kind === kind).length;
    return count === 0 ? [] : [`${count} ${WORDS[kind]}`];
  });
  if (parts.length === 0) return '';
  return `${results.length} ${results.length === 1 ? 'browser' : 'browsers'}: ${parts.join(', ')}.`;
}
