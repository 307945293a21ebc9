import { isObject, type JsonObject, toList, toObject } from '../../platform/json/json-object.ts';
import { type Cause, causeOf } from '../event/causes.ts';
import type { Changes } from '../event/changes.ts';
import type { StackFrame } from '../event/stack-frames.ts';
import { toCount, toText, toValues } from './json-values.ts';

/** Maximum frames of an exception: the first and the last of a longer stack are kept. */
const MAX_FRAMES = 200;
/** Maximum exceptions of a chain of causes. */
const MAX_EXCEPTIONS = 20;
const MAX_NAME_LENGTH = 500;
/** Names that a minifier gives, which change with each build. */
const GENERATED_NAME = /^.{1,2}$/;

export interface ReadException {
  type: string | null;
  value: string | null;
  mechanism: JsonObject | null;
  /** Frames, the innermost first. */
  frames: StackFrame[];
}

/**
 * Reads the exceptions of an event, the one that was thrown first and its causes behind it: clients send them in the
 * opposite order, and so the frames of each.
 */
export function readExceptions(event: JsonObject, changes: Changes): ReadException[] {
  const values = toValues(event.exception).toReversed();
  if (values.length > MAX_EXCEPTIONS) changes.add('frames');
  return values.slice(0, MAX_EXCEPTIONS).map(({ type, value, mechanism, stacktrace }) => ({
    type: toText(type),
    value: toText(value) ?? (isObject(value) ? JSON.stringify(value) : null),
    mechanism: isObject(mechanism) ? mechanism : null,
    frames: readFrames(stacktrace, changes),
  }));
}

/** Frames of an event without an exception: its own, or those of the thread that sent it. */
export function readOwnFrames(event: JsonObject, changes: Changes): StackFrame[] {
  const threads = toValues(event.threads);
  const thread =
    threads.find(({ crashed }) => crashed === true) ?? threads.find(({ current }) => current === true);
  return readFrames(event.stacktrace ?? thread?.stacktrace, changes);
}

/** The cause that identifies the error: of a chain the innermost one. */
export function toCause(exceptions: readonly Pick<ReadException, 'type' | 'frames'>[]): Cause {
  return causeOf(
    exceptions.map(({ type, frames }) => ({
      className: type === null || GENERATED_NAME.test(type) ? null : type,
      own: frames.filter(({ inApplication }) => inApplication),
      library: frames.filter(({ inApplication }) => !inApplication),
    })),
  );
}

function readFrames(stacktrace: unknown, changes: Changes): StackFrame[] {
  const frames = toList(toObject(stacktrace).frames).filter(isObject);
  const half = MAX_FRAMES / 2;
  changes.add('frames', frames.length > MAX_FRAMES);
  const kept = frames.length > MAX_FRAMES ? [...frames.slice(0, half), ...frames.slice(-half)] : frames;
  return kept.toReversed().map((frame) => toFrame(frame, changes));
}

function toFrame(frame: JsonObject, changes: Changes): StackFrame {
  const name = toText(frame.function);
  const file = toText(frame.abs_path) ?? toText(frame.filename) ?? toText(frame.module) ?? '<unknown>';
  return {
    function: name === null || name === '?' ? null : changes.shorten(name, MAX_NAME_LENGTH),
    file: changes.shorten(file, MAX_NAME_LENGTH),
    line: toCount(frame.lineno),
    column: toCount(frame.colno),
    // Clients that do not tell them apart mean their own code.
    inApplication: frame.in_app !== false,
  };
}
