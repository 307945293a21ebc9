import type { TargetTest } from '../../lib/api-types.ts';
import { texts } from './texts.ts';

const words = texts.test;

/** The answer of a target to a test. */
export function TestOutcome({ outcome }: { outcome: TargetTest }) {
  const { ok, status, reason, elapsedMs, body } = outcome;
  return (
    <div role="status" className="mt-2 rounded-md border border-line bg-muted px-3 py-2 text-sm">
      <p className={ok ? '' : 'font-semibold text-critical'}>
        {ok ? words.delivered(status, elapsedMs) : words.failed(reason, elapsedMs)}
      </p>
      {body !== '' && (
        <>
          <p className="mt-1 text-text-muted">{words.answer}</p>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
          <pre
            tabIndex={0}
            className="max-h-40 overflow-auto font-mono text-xs wrap-anywhere whitespace-pre-wrap"
          >
            {body}
          </pre>
        </>
      )}
    </div>
  );
}
