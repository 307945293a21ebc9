import { useQuery } from '@tanstack/react-query';
import { formatExactTime } from '../../lib/format.ts';
import { riskStateQuery } from './queries.ts';

/** What limits how the project is watched; nothing where nothing does. */
export function DetectionNotes({ projectId }: { projectId: string }) {
  const { data: state } = useQuery(riskStateQuery(projectId));
  if (!state?.setAside) return null;
  const { retryAt } = state.setAside;
  return (
    <section aria-label="Detection" className="mb-6 max-w-prose">
      <p>
        Detection failed for this project and is paused until{' '}
        <time dateTime={retryAt}>{formatExactTime(retryAt)}</time>. Its events are stored and charted.
      </p>
    </section>
  );
}
