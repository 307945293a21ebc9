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

/**
 * The release that the events come from, and its deploy: "All 230 from 4.18.1, deployed 3 min before". Where the service
 * compared the releases, the sentence of the incident says so, and this is the release alone; where it says when the release was
 * deployed, this leaves it out.
 */
export function WhatChanged({ incident, evidence }: { incident: Incident; evidence: Evidence }) {
  const now = useNow();
  const { data } = useQuery(eventsBehindQuery(incident.id));
  const marks = useReleasesAround(incident, evidence, now);
  const { release: compared } = evidence;
  if (compared && compared.says !== 'timing')
    return <Release name={compared.release} search={seriesSearch(incident, now)} />;
  if (!data) return null;
  // Of what is missing, the events are those before: their release is not what changed.
  const events = isAboutAbsence(evidence) ? [] : splitLate(data.items, evidence).events;
  const found = findRelease(events, data.next !== null, marks, Date.parse(evidence.from));
  if (!found) return null;
  const [before, after] = describe(found);
  const search = seriesSearch(incident, now);
  return <Release name={found.release} search={search} before={before} after={compared ? null : after} />;
}

interface ReleaseProps {
  name: string;
  search: ReturnType<typeof seriesSearch>;
  before?: string;
  after?: string | null;
}

function Release({ name, search, before, after }: ReleaseProps) {
  return (
    <Fact name={texts.head.facts.changed}>
      {before}{' '}
      <Link
        to="/events"
        search={{ ...search, release: name }}
        className="font-mono text-accent wrap-anywhere hover:underline"
      >
        {name}
      </Link>
      {after && `, ${after}`}{' '}
      <Link
        to="/releases"
        search={{ project: search.project, release: name }}
        aria-label={texts.changes.compareWithBefore(name)}
        className="ml-2 text-accent underline underline-offset-2"
      >
        {texts.changes.compare}
      </Link>
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
    return [
      deployed !== null && typeof deployed === 'object' ? changes.lastDeploy(deployed.beforeMs) : '',
      null,
    ];
  const from = share === 1 ? changes.allFrom(events, isSample) : changes.mostFrom(share, events, isSample);
  if (deployed === null || deployed === 'later') return [from, null];
  if (deployed === 'long before') return [from, changes.longBefore];
  const when = deployed.isDeploy ? changes.deployed : changes.firstSeen;
  return [from, when(deployed.beforeMs)];
}
