import { createHash } from 'node:crypto';
import type { Message } from '../../messages/message.ts';
import { cutBytes, cutText } from '../base/cut.ts';
import { bodyText, SILENCE_LABEL } from '../base/message-text.ts';
import type { PushMessage } from '../base/push.ts';
import { MAX_PLAIN_BYTES } from './encrypt-push.ts';

const MAX_TITLE = 200;
const TOPIC_CHARACTERS = 32;

/** Input of the dashboard's service worker (`dashboard/public/push-worker.js`). */
interface Payload {
  title: string;
  body: string;
  /** Tag of the notification: a later message with the same tag replaces the one that is shown. */
  tag: string;
  /** Page that a click opens, below the dashboard's address. */
  path: string;
  /** Button that opens the dialog that silences the subject; null: none. */
  silence: { label: string; path: string } | null;
  /** True if the notification stays until the user handles it. */
  stays: boolean;
}

const URGENCIES: Record<Message['severity'], PushMessage['urgency']> = {
  info: 'low',
  warn: 'normal',
  error: 'high',
  critical: 'high',
};

export function toPush(message: Message): PushMessage {
  const { severity, state, threadId } = message;
  return {
    payload: toPayload(message),
    urgency: state === 'resolved' && severity !== 'info' ? 'normal' : URGENCIES[severity],
    topic: createHash('sha256').update(threadId).digest('base64url').slice(0, TOPIC_CHARACTERS),
  };
}

/** Encodes a message as JSON that fits one encrypted record; a body that is too long is cut. */
function toPayload(message: Message): Buffer {
  const { headline, severity, state, threadId } = message;
  const text = bodyText(message);
  const render = (bodyBytes: number) =>
    Buffer.from(
      JSON.stringify({
        title: cutText(headline.toWellFormed(), MAX_TITLE),
        body: cutBytes(text.toWellFormed(), bodyBytes),
        tag: threadId,
        path: pathOf(message),
        silence: silenceOf(message),
        stays: state === 'firing' && severity === 'critical',
      } satisfies Payload),
    );
  // JSON makes some characters longer, so the excess is cut until it fits. The rest is 1,300 bytes at most.
  let budget = MAX_PLAIN_BYTES;
  let payload = render(budget);
  while (payload.length > MAX_PLAIN_BYTES) {
    budget -= payload.length - MAX_PLAIN_BYTES;
    payload = render(budget);
  }
  return payload;
}

/** Returns the path of the page. It is known even without PUBLIC_URL: the worker knows the dashboard's address. */
function pathOf({ type, threadId }: Message): string {
  if (threadId.startsWith('inc_')) return `/app/incidents/${threadId}`;
  if (threadId.startsWith('grp_')) return `/app/groups/${threadId}`;
  return type === 'test' ? '/app/settings/account' : '/app/incidents';
}

function silenceOf({ silenceUrl }: Message): Payload['silence'] {
  if (silenceUrl === null) return null;
  const { pathname, search } = new URL(silenceUrl);
  return { label: SILENCE_LABEL, path: pathname + search };
}
