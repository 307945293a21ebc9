import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Evidence, Incident } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { eventsBehindQuery } from '../queries.ts';
import { texts } from '../texts.ts';
import { splitLate } from './events-since.ts';
import { isAboutAbsence } from './evidence-words.ts';
import { Fact } from './fact.tsx';
import { findRelease, type ReleaseBehind, useReleasesAround } from './releases-behind.ts';
import { seriesSearch } from './series-search.ts';

/** The release that the events come from, and its deploy: "All 230 from 4.18.1, deployed 3 min before". */
export function WhatChanged({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const now = useNow();
  const { data } = useQuery(eventsBehindQuery(incident.id));
  const marks = useReleasesAround(incident, evidence, now);
  if (!data) return null;
  // Of what is missing, the events are those before: their release is not what changed.
  const events = isAboutAbsence(evidence) ? [] : splitLate(data.items, evidence).events;
  const found = findRelease(events, data.next !== null, marks, Date.parse(evidence.from));
  if (!found) return null;
  const { release } = found;
  const [before, after] = describe(found);
  return (
    <Fact name="What changed">
      {before}{' '}
      <Link
        to="/events"
        search={{ ...seriesSearch(incident, now), release }}
        className="font-mono text-accent wrap-anywhere hover:underline"
      >
        {release}
      </Link>
      {after && `, ${after}`}
    </Fact>
  );
}

function describe({
  share,
  events,
  isSample,
  deployed,
}: ReleaseBehind): [before: string, after: string | null] {
  const { changes } = texts;
  if (share === null)
    return [typeof deployed === 'object' ? changes.lastDeploy(deployed.beforeMs) : '', null];
  const from = share === 1 ? changes.allFrom(events, isSample) : changes.mostFrom(share);
  if (deployed === 'later') return [from, null];
  if (deployed === 'long before') return [from, changes.longBefore];
  const when = deployed.isDeploy ? changes.deployed : changes.firstSeen;
  return [from, when(deployed.beforeMs)];
}
