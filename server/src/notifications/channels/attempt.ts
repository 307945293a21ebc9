import type { SendRequest } from '../outgoing/send-request.ts';
import type { AnyChannel, Attempt, ChannelConfig } from './base/channel.ts';
import type { Outcome } from './base/outcome.ts';

/** Maximum stored characters of an answer, for the log of deliveries. */
const MAX_BODY_CHARACTERS = 2_000;

/** An attempt as the log of deliveries shows it. */
export interface AttemptResult {
  outcome: Outcome;
  /** Status of HTTP or of the other protocol; null: there was no answer. */
  status: number | null;
  body: string;
  elapsedMs: number;
  /** Changed configuration; null: it stays as it is. */
  config: ChannelConfig | null;
}

const UNCONFIRMED: AttemptResult = {
  outcome: {
    kind: 'permanent',
    reason: 'The address isn’t confirmed yet. Open the link in the confirmation email.',
    isTargetRefused: false,
    isInconclusive: true,
  },
  status: null,
  body: '',
  elapsedMs: 0,
  config: null,
};

/** Sends one message to one target once. The delivery worker and the test of a target share it. */
export async function attempt(
  channel: AnyChannel,
  given: Attempt<ChannelConfig>,
  sendRequest: SendRequest,
): Promise<AttemptResult> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  const recipient = channel.recipientOf?.(given.config);
  if (recipient !== undefined && !(await given.services.mayMail(given.organizationId, recipient)))
    return UNCONFIRMED;
  if (channel.transport === 'direct') {
    const { outcome, status, body } = await channel.deliver(given);
    return { outcome, status, body: toStorable(body), elapsedMs: elapsed(), config: null };
  }
  const results = [];
  for (const request of await channel.render(given)) {
    results.push(await sendRequest(request, given.organizationId));
  }
  const interpreted = channel.interpret(results, given);
  const last = results.at(-1);
  return {
    outcome: interpreted.kind === 'changed' ? interpreted.outcome : interpreted,
    status: last?.kind === 'answer' ? last.status : null,
    body: toStorable(last?.kind === 'answer' ? last.body : ''),
    elapsedMs: elapsed(),
    config: interpreted.kind === 'changed' ? interpreted.config : null,
  };
}

/**
 * Removes what PostgreSQL refuses in text (NUL, halves of surrogate pairs), and control characters that would
 * garble a page.
 */
function toStorable(text: string): string {
  return text
    .slice(0, MAX_BODY_CHARACTERS)
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]/gu, ' ');
}
