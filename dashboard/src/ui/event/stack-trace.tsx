import { useState } from 'react';
import type { SourceFrame, WholeEvent } from '../../lib/api-types.ts';
import { texts } from '../texts.ts';
import { LongText, MoreButton } from './long-text.tsx';
import { placeOf } from './place-of.ts';

const MAX_CAUSE_LENGTH = 300;

/** The stack trace of an event, and those of its causes. */
export function StackTraces({ frames, causes }: Pick<WholeEvent, 'frames' | 'causes'>) {
  return (
    <>
      <StackTrace frames={frames} />
      {causes.map(({ type, value, frames: inner }, index) => (
        <div key={index} className="mt-2">
          <p className="mb-1 text-sm">
            <LongText text={texts.event.causedBy(type, value)} limit={MAX_CAUSE_LENGTH} />
          </p>
          <StackTrace frames={inner} />
        </div>
      ))}
    </>
  );
}

/** A stack trace, innermost first: the application's own frames, and between them those of libraries on demand. */
function StackTrace({ frames }: { frames: SourceFrame[] }) {
  const own = frames.filter((frame) => frame.inApplication);
  const others = frames.length - own.length;
  const [unfolded, setUnfolded] = useState(own.length === 0);
  return (
    <>
      <ol className="space-y-1">
        {(unfolded ? frames : own).map((frame, index) => (
          <li
            key={index}
            className={`border-l-2 pl-2 font-mono text-xs wrap-anywhere ${frame.inApplication ? 'border-line-strong' : 'border-line text-text-muted'}`}
          >
            <span className={frame.inApplication ? 'font-semibold' : ''}>
              {frame.function ?? texts.event.anonymous}
            </span>{' '}
            <span className="block text-text-muted">{placeOf(frame)}</span>
            {frame.context && index === 0 && <Context frame={frame} context={frame.context} />}
          </li>
        ))}
      </ol>
      {own.length > 0 && others > 0 && (
        <p className="mt-1">
          <MoreButton onClick={() => setUnfolded(!unfolded)}>
            {texts.event.libraryFrames(others, unfolded)}
          </MoreButton>
        </p>
      )}
    </>
  );
}

/** Lines of the source, with the line of the frame in bold. */
function Context({ frame, context }: { frame: SourceFrame; context: NonNullable<SourceFrame['context']> }) {
  return (
    <pre className="mt-1 overflow-x-auto rounded-sm bg-surface-sunken p-1">
      {context.lines.map((text, index) => {
        const line = context.firstLine + index;
        return (
          <span key={line} className={`block ${line === frame.line ? 'font-semibold' : 'text-text-muted'}`}>
            {line} {text}
          </span>
        );
      })}
    </pre>
  );
}
