import { hash } from 'node:crypto';
import type { StackFrame } from './stack-frames.ts';

const MAX_NORMALIZED_LENGTH = 1_000;
/** What is looked at; a message that is accepted is no longer. */
const MAX_MESSAGE_LENGTH = 65_536;
const TOP_FRAMES = 5;

/**
 * Version 1, by which the errors of older programs are known: from type, source, and the topmost application frames
 * where there are any, else the message without what varies. It never changes.
 */
export function fingerprintV1(
  type: string,
  source: string | null,
  message: string,
  frames: StackFrame[] = [],
): string {
  const top = topFrames(frames);
  const kind = top.length > 0 ? top.map(describeFrame).join('\n') : normalizeMessage(message);
  return hash('sha256', `${type}\0${source ?? ''}\0${kind}`, 'hex').slice(0, 16);
}

function topFrames(frames: StackFrame[]): StackFrame[] {
  const own = frames.filter((frame) => frame.inApplication);
  return (own.length > 0 ? own : frames).slice(0, TOP_FRAMES);
}

/**
 * A message with everything replaced that varies from one occurrence to the next: quoted values, words that
 * hold a digit (numbers, ids, times, versions, IP addresses) and words with an `@` (e-mail addresses). It is
 * cut only then: else the length of an id would move the end of what is compared.
 */
function normalizeMessage(message: string): string {
  return message
    .slice(0, MAX_MESSAGE_LENGTH)
    .replace(/"[^"]*"|`[^`]*`|(?<!\w)'[^']*'(?!\w)/g, '*')
    .replace(/[\w.:@-]+/g, (word) => (/[\d@]/.test(word) ? '*' : word))
    .slice(0, MAX_NORMALIZED_LENGTH);
}

/** Without line and column, which move with every release, and without what build tools put into file names. */
function describeFrame(frame: StackFrame): string {
  return `${normalizeMessage(frame.file)} ${frame.function ?? ''}`;
}
