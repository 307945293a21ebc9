import { Link } from '@tanstack/react-router';
import type { Incident, IncidentDetail } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { formatCount, formatDuration } from '../../../lib/format.ts';
import { formatSlotTime, formatTimeBeside } from '../../../ui/charts/chart-time.ts';
import { HeadFact } from '../../../ui/layout/page-head.tsx';
import { eventsSearch } from '../evidence/events-search.ts';
import { describeAffected } from '../evidence/evidence-words.ts';
import { formatDue, useSchedule } from '../evidence/use-schedule.ts';
import { WhatChanged } from '../evidence/what-changed.tsx';
import { texts } from '../texts.ts';

const { facts: names } = texts.head;
const LINK = 'text-accent hover:underline';

interface IncidentFactsProps {
  incident: IncidentDetail;
  /** Name of the person who has it. */
  investigator: string | null;
}

/** The time of an incident, its investigator, its users and events, its release and its origin. */
export function IncidentFacts({ incident, investigator }: IncidentFactsProps) {
  const { eventCount, origin, links, until } = incident;
  const now = useNow();
  const affected = describeAffected(incident);
  const { schedule } = useSchedule(incident);
  const owner = describeOwner(incident, investigator);
  return (
    <>
      <HeadFact name={until ? names.time : names.since}>
        <IncidentTime incident={incident} />
      </HeadFact>
      {owner !== null && (
        <HeadFact name={names.owner}>
          <strong className="font-semibold">{owner}</strong>
        </HeadFact>
      )}
      {affected && <HeadFact name={names.affected}>{affected}</HeadFact>}
      {eventCount > 0 && (
        <HeadFact name={names.events}>
          <Link
            to="/events"
            search={eventsSearch(incident, now)}
            className="inline-block min-w-6 hover:underline"
          >
            {formatCount(eventCount)}
          </Link>
        </HeadFact>
      )}
      {schedule?.nextDueAt && until === null && (
        <HeadFact name={texts.schedule.nextDue}>{formatDue(schedule.nextDueAt, schedule)}</HeadFact>
      )}
      {origin !== 'risk' && origin !== 'schedule' && (
        <HeadFact name={names.origin}>{texts.head.origins[origin]}</HeadFact>
      )}
      {links.length > 0 && (
        <HeadFact name={names.links}>
          <span className="flex flex-wrap gap-x-3">
            {links.map(({ name, url }) => (
              <a key={name} href={url} rel="noreferrer" className={LINK}>
                {texts.head.links[name]}
              </a>
            ))}
          </span>
        </HeadFact>
      )}
      {/* Takes the rest of the row. */}
      <WhatChanged incident={incident} />
    </>
  );
}

/** Says who has it, or who resolved it; null: not known. */
function describeOwner({ status, timeline }: IncidentDetail, investigator: string | null): string | null {
  if (status === 'open') return texts.head.noOne;
  // Its room is there before the name.
  if (status === 'investigating') return investigator ? texts.head.isOnIt(investigator) : '…';
  const resolution = timeline.findLast(({ to }) => to?.status === 'resolved');
  if (!resolution) return null;
  return resolution.by ? texts.previous.resolvedBy(resolution.by.name) : texts.previous.resolvedByItself;
}

function IncidentTime({ incident: { since, until } }: { incident: Incident }) {
  const now = useNow();
  const fromMs = Date.parse(since);
  const toMs = until ? Date.parse(until) : Math.max(now, fromMs);
  const from = formatSlotTime(fromMs);
  return (
    <>
      {until ? texts.head.between(from, formatTimeBeside(fromMs, toMs)) : from}{' '}
      <span className="whitespace-nowrap">{texts.head.lasting(formatDuration(toMs - fromMs))}</span>
    </>
  );
}
