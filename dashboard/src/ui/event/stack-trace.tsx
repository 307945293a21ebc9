import { useState } from 'react';
import type { StackFrame } from '../../lib/api-types.ts';
import { texts } from '../texts.ts';
import { MoreButton } from './long-text.tsx';
import { placeOf } from './read-frames.ts';

/** A stack trace, innermost first: the application's own frames, and between them those of libraries on demand. */
export function StackTrace({ frames }: { frames: StackFrame[] }) {
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
