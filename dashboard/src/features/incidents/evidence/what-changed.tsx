import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Incident } from '../../../lib/api-types.ts';
import { useNow } from '../../../lib/clock.ts';
import { UNREAD } from '../../../lib/releases/release-marks.ts';
import { describeRelease } from '../../../ui/display/incident-numbers.ts';
import { LateFact } from '../../../ui/layout/page-head.tsx';
import { texts } from '../texts.ts';
import { eventsSearch } from './events-search.ts';
import { type DeployBehind, findDeploy, findLastRelease, useReleasesAround } from './releases-behind.ts';

/**
 * The release behind an incident, and its deploy: "new in 4.18.1, deployed 3 min before". If the service names none, the last
 * deploy before.
 */
export function WhatChanged({ incident }: { incident: Incident }) {
  const { release, since } = incident;
  const marks = useReleasesAround(incident, useNow());
  const beganMs = Date.parse(since);
  const says = describeRelease(incident);
  if (release && says !== null) {
    const [before = '', ...after] = says.split(release.version);
    const deploy = release.says === 'timing' ? null : findDeploy(release.version, marks, beganMs);
    return (
      <Release name={release.version} incident={incident} before={before}>
        {after.join(release.version)}
        {describeDeploy(deploy)}
      </Release>
    );
  }
  const last = findLastRelease(marks, beganMs);
  if (!last)
    return <LateFact name={texts.head.facts.changed}>{marks === UNREAD ? '…' : texts.changes.none}</LateFact>;
  return (
    <Release
      name={last.release}
      incident={incident}
      before={texts.changes.lastDeploy(Math.max(0, beganMs - last.atMs))}
    />
  );
}

interface ReleaseProps {
  name: string;
  incident: Incident;
  before: string;
  /** Content after the name. */
  children?: ReactNode;
}

function Release({ name, incident, before, children }: ReleaseProps) {
  const search = eventsSearch(incident, useNow());
  return (
    <LateFact
      name={texts.head.facts.changed}
      action={
        <Link
          to="/releases/compare"
          search={{ project: search.project, release: name }}
          aria-label={texts.changes.compareWithBefore(name)}
          className="-my-1 py-1 text-accent underline underline-offset-2 print:hidden"
        >
          {texts.changes.compare}
        </Link>
      }
    >
      {before}
      <Link
        to="/events"
        search={{ ...search, release: name }}
        title={name}
        // A long name leaves room for the words around it.
        className="inline-block max-w-56 truncate align-bottom font-mono text-accent hover:underline lg:max-w-96"
      >
        {name}
      </Link>
      {children}
    </LateFact>
  );
}

/** Returns ", deployed 3 min before"; empty if it says nothing. */
function describeDeploy(deployed: DeployBehind): string {
  if (deployed === null || deployed === 'later') return '';
  if (deployed === 'long before') return `, ${texts.changes.longBefore}`;
  return `, ${(deployed.isDeploy ? texts.changes.deployed : texts.changes.firstSeen)(deployed.beforeMs)}`;
}
