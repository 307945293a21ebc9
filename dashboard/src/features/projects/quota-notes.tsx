import { useQuery } from '@tanstack/react-query';
import { formatCount, formatExactTime } from '../../lib/format.ts';
import { quotasQuery } from './queries.ts';
import { texts } from './texts.ts';

const words = texts.quotaNotes;

/** Says which limits of a project are exceeded, since when, and how many events they refused; empty if none is. */
export function QuotaNotes({ projectId }: { projectId: string }) {
  const { data: quotas } = useQuery(quotasQuery(projectId));
  if (!quotas || quotas.exceeded.length === 0) return null;
  return (
    <section aria-label={words.title} className="mb-6 max-w-prose">
      {quotas.exceeded.map(({ key, limit, since, refused }) => (
        <p key={`${key?.id ?? ''} ${limit}`} className="bg-warn-soft px-4 py-2 wrap-anywhere">
          {words.exceeded(
            key?.name ?? null,
            words.limits[limit],
            formatExactTime(since),
            formatCount(refused),
          )}
        </p>
      ))}
    </section>
  );
}
