import { useMutation } from '@tanstack/react-query';
import type { GroupDetail } from '../../../lib/api-types.ts';
import { formatCount } from '../../../lib/format.ts';
import { queryClient } from '../../../lib/queries.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { Alert } from '../../../ui/feedback/states.tsx';
import { Section } from '../../../ui/layout/page.tsx';
import { groupQuery, separateGroup } from '../queries.ts';
import { texts } from '../texts.ts';

/** The groups that were merged into this one, each with a button that separates it. */
export function MergedGroups({ group }: { group: GroupDetail }) {
  const separate = useMutation({
    mutationFn: (id: string) => separateGroup(group.id, id),
    onSuccess: (after) => queryClient.setQueryData(groupQuery(group.id).queryKey, after),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['groups'] }),
  });
  if (group.merged.length === 0) return null;
  return (
    <Section title={texts.page.merged}>
      <ul className="text-sm">
        {group.merged.map(({ id, key, title, count }) => (
          <li key={id} className="flex min-h-9 items-center gap-2 px-2">
            <span className="min-w-0 flex-1">
              <span className="block truncate" title={title}>
                {title}
              </span>
              <span className="text-xs text-text-muted">
                {key}, {texts.counts.events(formatCount(count))}
              </span>
            </span>
            <Button
              variant="ghost"
              aria-label={texts.page.separateOne(key)}
              busy={separate.isPending && separate.variables === id}
              onClick={() => separate.mutate(id)}
            >
              {texts.page.separate}
            </Button>
          </li>
        ))}
      </ul>
      {separate.error && <Alert>{separate.error.message}</Alert>}
    </Section>
  );
}
