import { useNow } from '../../lib/clock.ts';
import { formatAgo, formatExactTime } from '../../lib/format.ts';

/** The age of a time; the exact time on hover. */
export function RelativeTime({ at, className = '' }: { at: string; className?: string }) {
  const now = useNow();
  return (
    <time dateTime={at} title={formatExactTime(at)} className={`whitespace-nowrap ${className}`}>
      {formatAgo(Date.parse(at), now)}
    </time>
  );
}
