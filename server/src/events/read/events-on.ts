import type { Queryable } from '../../database/database.ts';
import type { EventReads } from '../reader.ts';
import { listFieldCounts } from './field-count-queries.ts';
import { countEnvironmentsOfGroup, countReleasesOfGroup } from './group-count-queries.ts';
import { findEndsOfGroup } from './group-ends-queries.ts';
import { listNamesOfGroups } from './group-names-queries.ts';
import { findFirstMinute, findLeadFacts } from './lead-facts-queries.ts';
import { addFailedPayments } from './payment-queries.ts';
import { countByGroup } from './range-group-queries.ts';
import { countRelease } from './release-count-queries.ts';
import { countByRelease, countByReleaseBefore } from './release-share-queries.ts';
import {
  countEventsOfLead,
  findFirstEventOfLead,
  listMinutesOfFingerprints,
  listNewestOfSeries,
} from './series-queries.ts';
import { isStored } from './stored-queries.ts';
import { listEventsOfSubject } from './subject-queries.ts';

/**
 * Returns the reads on a connection, of the events in PostgreSQL alone. Alarms, silences, groups, messages and intake use these,
 * pages those of the `EventReader` that they are given. Of events of any age they use `findEndsOfGroup` (merges),
 * `findFirstMinute` (recounts), those of `readFacts` (messages), `listOfSubject` (silences) and `isStored` (jobs).
 */
export function eventsOn(database: Queryable): EventReads {
  return {
    database,
    countReleasesOfGroup: (organizationId, groupId, page) =>
      countReleasesOfGroup(database, organizationId, groupId, page),
    countEnvironmentsOfGroup: (organizationId, groupId) =>
      countEnvironmentsOfGroup(database, organizationId, groupId),
    findEndsOfGroup: (organizationId, groupId) => findEndsOfGroup(database, organizationId, groupId),
    findLeadFacts: (organizationId, events) => findLeadFacts(database, organizationId, events),
    addFailedPayments: (organizationId, range) => addFailedPayments(database, organizationId, range),
    countByGroup: (organizationId, ranges) => countByGroup(database, organizationId, ranges),
    listNamesOfGroups: (organizationId, groupIds, range) =>
      listNamesOfGroups(database, organizationId, groupIds, range),
    findFirstMinute: (organizationId, projectId) => findFirstMinute(database, organizationId, projectId),
    listNewestOfSeries: (organizationId, events, since) =>
      listNewestOfSeries(database, organizationId, events, since),
    listMinutesOfFingerprints: (organizationId, events, range) =>
      listMinutesOfFingerprints(database, organizationId, events, range),
    countOfLead: (organizationId, lead, range) => countEventsOfLead(database, organizationId, lead, range),
    findFirstOfLead: (organizationId, lead, range) =>
      findFirstEventOfLead(database, organizationId, lead, range),
    countByRelease: (organizationId, request) => countByRelease(database, organizationId, request),
    countByReleaseBefore: (organizationId, request, lengthMs) =>
      countByReleaseBefore(database, organizationId, request, lengthMs),
    countRelease: (organizationId, request) => countRelease(database, organizationId, request),
    listFieldCounts: (organizationId, counting, range) =>
      listFieldCounts(database, organizationId, counting, range),
    listOfSubject: (organizationId, projectId, subject) =>
      listEventsOfSubject(database, organizationId, projectId, subject),
    isStored: (organizationId, projectId, eventId) => isStored(database, organizationId, projectId, eventId),
  };
}
