import { describe } from './describe.ts';
import { MAX_MESSAGE_LENGTH, MAX_STACK_LENGTH } from './limits.ts';
import { isObject, read } from './read.ts';
import { cleanText } from './text.ts';

const MAX_NAME_LENGTH = 128;
const MAX_CAUSES = 8;
/** Maximum length of the heading of a stack, which repeats the message: a huge one must not displace the frames. */
const MAX_HEADING_LENGTH = 8_192;

/** Returns the message unchanged, or else the name. */
export function errorMessage(error: unknown): string {
  return describe(error, MAX_MESSAGE_LENGTH) || errorName(error);
}

export function errorName(error: unknown): string {
  const name = read(error, 'name');
  return (typeof name === 'string' && cleanText(name, MAX_NAME_LENGTH)) || 'Error';
}

/** Returns the stack with name and message, followed by those of the causes; a cyclic chain of causes ends. */
export function errorStack(error: unknown): string {
  const seen = new Set<unknown>();
  const sections: string[] = [];
  for (let current = error; sections.length <= MAX_CAUSES && !seen.has(current); current = causeOf(current)) {
    if (sections.length > 0 && (current === undefined || current === null)) break;
    seen.add(current);
    sections.push(ownStack(current));
  }
  return cleanText(sections.join('\nCaused by: '), MAX_STACK_LENGTH);
}

function causeOf(error: unknown): unknown {
  // An AggregateError often has no message of its own.
  return read(error, 'cause') ?? read(read(error, 'errors'), '0');
}

function ownStack(error: unknown): string {
  const name = errorName(error);
  const message = describe(error, MAX_MESSAGE_LENGTH);
  const heading = cleanText(message === '' ? name : `${name}: ${message}`, MAX_HEADING_LENGTH);
  const stack = isObject(error) ? read(error, 'stack') : undefined;
  return typeof stack === 'string' && stack !== ''
    ? heading + framesOf(stack, read(error, 'message'))
    : heading;
}

/**
 * Returns the part of a stack after its heading. V8 begins a stack with `Name: message`, whose name is often that of a base
 * class (it is taken before a constructor sets its own); other engines begin with the frames.
 */
function framesOf(stack: string, message: unknown): string {
  const firstLineEnd = stack.includes('\n') ? stack.indexOf('\n') : stack.length;
  if (typeof message === 'string' && message !== '') {
    const messageAt = stack.indexOf(`: ${message}`) + 2;
    if (messageAt >= 2 && messageAt <= firstLineEnd) return stack.slice(messageAt + message.length);
  }
  return ERROR_HEADING.test(stack) ? stack.slice(firstLineEnd) : `\n${stack}`;
}

const ERROR_HEADING = /^[\w$.]*(?:Error|Exception)\b/;
