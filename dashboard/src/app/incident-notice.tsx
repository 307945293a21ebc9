import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { explainFailure } from '../features/incidents/change/explain-failure.ts';
import { rememberOwnChange } from '../features/incidents/change/own-changes.ts';
import { changeIncident, incidentQuery } from '../features/incidents/queries.ts';
import type { Incident, Severity } from '../lib/api-types.ts';
import { useMemberName } from '../lib/members/member-names.ts';
import { queryClient } from '../lib/queries.ts';
import { SEVERITIES } from '../lib/severity.ts';
import { Button, buttonClass } from '../ui/controls/button.tsx';
import { SeverityGlyph } from '../ui/display/glyphs.tsx';
import { describeRate } from '../ui/display/incident-numbers.ts';
import { Sentence } from '../ui/display/sentence.tsx';
import { texts as words } from './news-texts.ts';

interface IncidentNoticeProps {
  incident: Incident;
  /** Kind of change: `New incident`, `Now critical`. */
  headline: string;
  /** Sentence about the change; null: the title is shown. */
  sentence: string | null;
  /** Name of the project; null if there is only one. */
  project: string | null;
  onDone: () => void;
}

/** The toast of one incident, with its next actions. */
export function IncidentNotice({ incident, headline, sentence, project, onDone }: IncidentNoticeProps) {
  const { id, title, severity, status } = incident;
  const rate = sentence === null && describeRate(incident);
  const investigator = useMemberName(status === 'investigating' ? incident.investigatorId : null);
  const take = useMutation({
    networkMode: 'always',
    mutationFn: () => {
      rememberOwnChange(id, 'investigating');
      return changeIncident(id, { status: 'investigating' });
    },
    onSuccess: (after) => {
      queryClient.setQueryData(incidentQuery(id).queryKey, after);
      setTimeout(onDone, TAKEN_MS);
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: ['incidents'] }),
  });
  return (
    <>
      <p>
        <span className="font-medium">{words.by(headline, investigator)}</span>{' '}
        <SeverityGlyph severity={severity} withWord />
        {project && <span className="ml-2 wrap-anywhere text-text-muted">{project}</span>}
      </p>
      <p className="mt-1 line-clamp-2 wrap-anywhere">{sentence ? <Sentence text={sentence} /> : title}</p>
      {rate && <p className="text-text-muted">{rate}</p>}
      <p className="mt-2 flex flex-wrap items-center gap-2">
        <Link
          to="/incidents/$incidentId"
          params={{ incidentId: id }}
          onClick={onDone}
          className={buttonClass('plain')}
        >
          {words.open}
        </Link>
        {status === 'open' && !take.isSuccess && (
          <Button busy={take.isPending} onClick={() => take.mutate()}>
            {words.take}
          </Button>
        )}
        {take.isSuccess && <span>{words.taken}</span>}
      </p>
      {take.error && <p className="mt-1 text-critical">{words.failed(explainFailure(take.error))}</p>}
    </>
  );
}

/** Time to read the confirmation. */
const TAKEN_MS = 2_000;

/** The toast of a burst of incidents: the count of each severity, the worst first. */
export function StormNotice({ severities, onDone }: { severities: Severity[]; onDone: () => void }) {
  return (
    <>
      <p className="font-medium">{words.many(severities.length)}</p>
      <p className="mt-1 flex flex-wrap gap-x-3">
        {SEVERITIES.toReversed().map((severity) => {
          const count = severities.filter((one) => one === severity).length;
          return (
            count > 0 && (
              <span key={severity} className="inline-flex items-center gap-1">
                <SeverityGlyph severity={severity} /> {words.ofSeverity(count, severity)}
              </span>
            )
          );
        })}
      </p>
      <p className="mt-2">
        <Link to="/incidents" search={{ sort: 'severity' }} onClick={onDone} className={buttonClass('plain')}>
          {words.openAll}
        </Link>
      </p>
    </>
  );
}
