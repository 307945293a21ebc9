import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { nameProjects } from '../../lib/project-name.ts';
import { projectsQuery } from '../../lib/queries.ts';
import type { SilenceSubject } from '../../ui/silences/silence-slot.tsx';
import { type Length, readLength } from './lengths.ts';
import { coveringQuery, groupsOfQuery } from './queries.ts';
import { scopesOf } from './scopes.ts';
import { SilenceDialog } from './silence-dialog.tsx';
import { SilenceLine } from './silence-line.tsx';
import { texts } from './texts.ts';

/**
 * Silences the subject of an incident's or a group's page, and shows its active silences. An address that ends with
 * `?silence=4h`, as in messages, opens the dialog with this length: nothing is silenced before a person confirms.
 */
export function SilenceControl({ subject }: { subject: SilenceSubject }) {
  // Read only here: the pages do not know the parameter.
  const { silence } = useSearch({ strict: false }) as { silence?: unknown };
  const navigate = useNavigate();
  const [length, setLength] = useState<Length | null>(null);
  useEffect(() => {
    if (silence === undefined) return;
    setLength(readLength(silence));
    // Opens once: a reload and the way back do not open it again.
    void navigate({
      to: '.',
      search: (previous: object) => ({ ...previous, silence: undefined }),
      replace: true,
    } as never);
  }, [silence, navigate]);
  const { data: silences = [] } = useQuery(coveringQuery(subject.id));
  const { data: projects = [] } = useQuery(projectsQuery);
  return (
    <>
      {silences.length > 0 && (
        <ul aria-label={texts.page.list} className="order-last basis-full text-sm">
          {silences.map((each) => (
            <SilenceLine key={each.id} silence={each} names={nameProjects(projects)} />
          ))}
        </ul>
      )}
      {length && <SubjectDialog {...{ subject, length }} onClose={() => setLength(null)} />}
    </>
  );
}

function SubjectDialog({
  subject,
  ...rest
}: {
  subject: SilenceSubject;
  length: Length;
  onClose: () => void;
}) {
  const isIncident = subject.groupKey === null;
  const groups = useQuery({ ...groupsOfQuery(subject.id), enabled: isIncident });
  // The dialog waits for the groups: its first choice must not change just before Enter confirms it.
  if (isIncident && groups.isPending && groups.failureCount === 0) return null;
  return <SilenceDialog scopes={scopesOf(subject, groups.data)} {...rest} />;
}
