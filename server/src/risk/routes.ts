import { Type } from 'typebox';
import type { Pool } from '../database/database.ts';
import type { ExpensiveReads } from '../database/expensive-reads.ts';
import type { EventReader } from '../events/reader.ts';
import { pageOf, readPage } from '../http/pages.ts';
import { routesOf } from '../http/route.ts';
import { IdText } from '../http/schemas.ts';
import { goneSignal } from '../http/sockets/gone-signal.ts';
import { requireIncident } from '../incidents/require-incident.ts';
import type { Clock } from '../platform/clock.ts';
import type { ApiError } from '../platform/errors.ts';
import type { KeyedQueue, QueueOptions } from '../platform/keyed-queue.ts';
import { unavailable } from '../platform/unavailable.ts';
import { requireProject } from '../tenancy/projects/require-project.ts';
import { sessionOf } from '../tenancy/session.ts';
import { toDecision } from './incidents/decision.ts';
import { listDecisions } from './incidents/decision-queries.ts';
import { Decision, DecisionQuery } from './incidents/schema.ts';
import { readRiskState } from './live/read-state.ts';
import { RiskState } from './live/schema.ts';
import { readPoints } from './replay/points.ts';
import { previewIncidents } from './replay/preview.ts';
import { previewRule } from './replay/preview-rule.ts';
import { Points, Preview, PreviewQuery, RulePreview } from './replay/schema.ts';
import { readWatchedSeries } from './series/read-watched-series.ts';
import { WatchedSeriesList } from './series/schema.ts';
import { changeRiskSettings } from './settings/change-settings.ts';
import { findRiskSettings } from './settings/queries.ts';
import { readRule } from './settings/read-rules.ts';
import { RiskSettings, RiskSettingsPatch, RuleInput } from './settings/schema.ts';

const ById = Type.Object({ id: IdText });
const DEFAULT_PREVIEW_DAYS = 7;
/** A preview is seconds of work: a process runs one at a time, of one organization after the other. */
export const PREVIEW_QUEUE: QueueOptions = { maxRunning: 1, maxWaiting: 8, maxShare: 1 / 2 };
const RETRY_PREVIEW_SECONDS = 5;

interface RiskDependencies {
  pool: Pool;
  clock: Clock;
  publicUrl: URL | null;
  /** Number of days for which events are kept. */
  retentionDays: number;
  reads: ExpensiveReads;
  events: EventReader;
  previews: KeyedQueue;
}

const route = routesOf<RiskDependencies>('Risk');

export const riskRoutes = [
  route.get('/projects/:id/risk', {
    summary: 'Settings of the detector',
    description: 'Sensitivity and rules of a project, with the defaults for what was never set.',
    params: ById,
    answer: RiskSettings,
    handle: async (request, { pool }) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.id);
      return findRiskSettings(pool, organizationId, project.id);
    },
  }),

  route.put('/projects/:id/risk', {
    summary: 'Change what a project asks of the detector',
    description:
      'Fields that are not named stay as they are; `rules` are replaced as a whole. The detector follows with the next events, or within a minute.',
    params: ById,
    body: RiskSettingsPatch,
    answer: RiskSettings,
    handle: async (request, { pool, clock }) =>
      changeRiskSettings({ pool, clock }, sessionOf(request), request.params.id, request.body),
  }),

  route.get('/projects/:id/risk/state', {
    summary: 'State of the detection of a project',
    description:
      'Tells why a project is not evaluated, if so, and which sources are evaluated by the time of receipt.',
    params: ById,
    answer: RiskState,
    handle: async (request, { pool, clock }) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.id);
      return readRiskState(pool, organizationId, project.id, new Date(clock.now()));
    },
  }),

  route.get('/projects/:id/risk/series', {
    summary: 'List what is watched of a project',
    description:
      'Each series with its learned rate, its dispersion, the counts that would open an incident right now, its last event and, of a regular sender, when it is overdue.',
    params: ById,
    answer: WatchedSeriesList,
    handle: async (request, { pool, reads }, reply) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.id);
      const read = { organizationId, signal: goneSignal(reply.raw), subject: 'the series of the project' };
      return reads.run(read, (database) => readWatchedSeries(database, organizationId, project.id));
    },
  }),

  route.get('/projects/:id/risk/decisions', {
    summary: 'List what the detector decided',
    description:
      'Includes what it suppressed, with the reason. Newest first, of the last 7 days. The next page is in the `Link` header.',
    params: ById,
    querystring: DecisionQuery,
    answer: Type.Array(Decision),
    handle: async (request, { pool, publicUrl }, reply) => {
      const { outcome = null } = request.query;
      const page = readPage(request.query);
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.id);
      const rows = await listDecisions(pool, organizationId, project.id, { outcome, ...page });
      return pageOf(request, reply, rows.map(toDecision), { ...page, publicUrl });
    },
  }),

  route.get('/projects/:id/risk/preview', {
    summary: 'Preview of the incidents of a budget',
    description:
      'The detector goes through the project’s past counts, with its own rules and with `budget` (default: its own) in place of its budget. Counts are by the minute in which events were captured; new kinds of errors are not in them. It learns from the week before `from`. Where that were too much work, it begins later, and so may `from`. Newest first, at most 500.',
    params: ById,
    querystring: PreviewQuery,
    answer: Preview,
    handle: async (request, { pool, clock, previews }, reply) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.id);
      const settings = await findRiskSettings(pool, organizationId, project.id);
      const { budget = settings.budget, days = DEFAULT_PREVIEW_DAYS } = request.query;
      const signal = goneSignal(reply.raw);
      return previews.run({ key: organizationId, signal, refuse: otherPreviews }, () =>
        previewIncidents(pool, organizationId, {
          projectId: project.id,
          settings: { ...settings, budget },
          days,
          nowMs: clock.now(),
          signal,
        }),
      );
    },
  }),

  route.post('/projects/:id/risk/rule-preview', {
    summary: 'Preview of a rule',
    description:
      'Tells when a rule, saved or not, would have opened an incident in the past 30 days. A rule about a field reads the newest 20,000 events of its type, severity and source, among the newest 200,000 of the project; others go through counts by the minute, at most a million. `from` says how far back that was.',
    params: ById,
    config: { scopes: ['read'] },
    body: RuleInput,
    answer: RulePreview,
    handle: async (request, { pool, clock, reads, events, retentionDays }, reply) => {
      const { organizationId } = sessionOf(request);
      const project = await requireProject(pool, organizationId, request.params.id);
      const rule = readRule(request.body, '');
      const read = {
        organizationId,
        signal: goneSignal(reply.raw),
        subject: 'this rule’s past',
        advice: 'Try again later.',
      };
      return reads.run(read, (database) =>
        previewRule(events.on(database), [organizationId, project.id], rule, {
          nowMs: clock.now(),
          retentionDays,
        }),
      );
    },
  }),

  route.get('/incidents/:id/points', {
    summary: 'Observed and expected counts around an incident',
    description:
      'Counts of its series, by the minute in which events were captured, from half an hour before the incident’s window until ten minutes after its end or now, at most 24 hours. Failed payments are percentages, without points where there were no payments. `expected` is worked out from the 25 hours before, by the functions of the detector, which learn nothing from the incident itself. Empty for incidents created by hand.',
    params: ById,
    answer: Points,
    handle: async (request, { pool, clock, reads }, reply) => {
      const { organizationId } = sessionOf(request);
      const incident = await requireIncident(pool, organizationId, request.params.id);
      const signal = goneSignal(reply.raw);
      const read = { organizationId, signal, subject: 'the counts around the incident' };
      return reads.run(read, (database) => readPoints(database, organizationId, incident, clock.now()));
    },
  }),
];

function otherPreviews(): ApiError {
  return unavailable('Other previews are running.', { retryAfterSeconds: RETRY_PREVIEW_SECONDS });
}
