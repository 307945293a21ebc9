import { hash } from 'node:crypto';
import { isBuilt, withoutShortNames } from './built-frames.ts';
import { type Cause, findCause, readClassName } from './causes.ts';
import { withoutInstance } from './instance-names.ts';
import { normalizeMessage } from './normalize-message.ts';
import type { StackFrame } from './stack-frames.ts';

/**
 * Version of the algorithm. Any change of the fingerprints raises it, and for 30 days after the update ingestion
 * queues the fingerprint by the former algorithm as well (`formerFingerprint`).
 */
export const FINGERPRINT_VERSION = 1;

/** Fields of an event that its fingerprint depends on. */
export interface FingerprintInput {
  type: string;
  source: string | null;
  message: string;
  stack?: string | null | undefined;
  /** Cause of an error whose frames were sent as values, in place of a stack. */
  cause?: Cause | undefined;
  /** Status of an HTTP answer; only 100 to 599 counts. */
  statusCode?: number | undefined;
  /** The sender's own fingerprint, which counts alone; each part is literal, except for `{{ default }}`. */
  fingerprint?: readonly string[] | undefined;
}

/**
 * 16 hex characters that are equal for events of the same kind. The sender's own fingerprint decides alone. Else it
 * is computed from type, source without the name of an instance, status code, and the class of the innermost cause
 * with the application's frames nearest to it. If the frames belong to a built bundle, whose names change with each
 * build, or if there are none, the class and the message without its varying parts take their place.
 */
export function fingerprint(event: FingerprintInput): string {
  const own = event.fingerprint;
  if (own === undefined) return defaultFingerprint(event);
  const parts = own.map((part) => (DEFAULT_PART.test(part) ? defaultFingerprint(event) : part));
  return digest(`\0${JSON.stringify(parts)}`);
}

const DEFAULT_PART = /^\{\{ ?default ?\}\}$/;

function defaultFingerprint({ type, source, message, statusCode, ...event }: FingerprintInput): string {
  const status = statusCode !== undefined && isHttpStatus(statusCode) ? `status ${statusCode}\n` : '';
  const cause = event.cause ?? (event.stack ? findCause(event.stack) : null);
  const what = cause ? describeCause(cause, message) : normalizeMessage(message);
  return digest(`${type}\0${source === null ? '' : withoutInstance(source)}\0${status}${what}`);
}

function describeCause({ className, frames }: Cause, message: string): string {
  // Firefox and Safari begin a stack with its frames.
  const name = className ?? readClassName(message.split('\n', 1)[0] ?? '');
  const heading = name === null ? '' : `${name}\n`;
  if (frames.length === 0) return heading + normalizeMessage(message);
  if (isBuilt(frames)) return heading + withoutShortNames(normalizeMessage(message));
  return heading + frames.map(describeFrame).join('\n');
}

/** A frame without line and column, which move with every release, and without generated parts of names. */
function describeFrame(frame: StackFrame): string {
  return `${normalizeMessage(frame.file)} ${frame.function?.replace(GENERATED, '') ?? ''}`;
}

/** Numbers of lambdas, inner and generated classes: `Pay$1`, `lambda$charge$3`, `Pay$$EnhancerBySpringCGLIB$$8f3a`. */
const GENERATED = /\$\$[\w$]{1,200}|(?<=\$)\d{1,20}/g;

function isHttpStatus(code: number): boolean {
  return Number.isInteger(code) && code >= 100 && code <= 599;
}

function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}
