import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request, requestPage, withQuery } from '../../lib/api.ts';
import type {
  CountRule,
  Decision,
  DecisionOutcome,
  Preview,
  RiskSettings,
  RiskSettingsChanges,
  RulePreview,
  WatchedSeriesList,
} from '../../lib/api-types.ts';

const PAGE_LENGTH = 50;

const pathOf = (projectId: string) => `/projects/${encodeURIComponent(projectId)}/risk`;

export const settingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['alarms', projectId, 'settings'],
    queryFn: ({ signal }) => request<RiskSettings>('GET', pathOf(projectId), { signal }),
  });

export const changeSettings = (projectId: string, body: RiskSettingsChanges) =>
  request<RiskSettings>('PUT', pathOf(projectId), { body });

/** Renewal interval; the detector updates its state each minute. */
const WATCHED_INTERVAL_MS = 30_000;

export const watchedQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['alarms', projectId, 'watched'],
    queryFn: ({ signal }) => request<WatchedSeriesList>('GET', `${pathOf(projectId)}/series`, { signal }),
    refetchInterval: WATCHED_INTERVAL_MS,
  });

/** Decisions, newest first, page by page. */
export const decisionsQuery = (projectId: string, outcome: DecisionOutcome | undefined) =>
  infiniteQueryOptions({
    queryKey: ['alarms', projectId, 'decisions', outcome ?? null],
    queryFn: ({ pageParam, signal }) =>
      requestPage<Decision>(
        withQuery(`${pathOf(projectId)}/decisions`, {
          outcome,
          limit: PAGE_LENGTH,
          cursor: pageParam ?? undefined,
        }),
        signal,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });

/**
 * Options of previews. A preview takes a thread for minutes, or one of the organization's few slots, so only a user repeats it,
 * even after a refusal or a timeout. Neither the focus nor a restored connection repeats a static query.
 */
const REPEATED_BY_USERS = { retry: false, staleTime: 'static' } as const;

/** Request for a preview on past data. */
export interface PreviewRequest {
  budget: number;
  days: number;
  /** Time of the request: a new request computes the preview again. */
  askedMs: number;
}

export const previewQuery = (projectId: string, { budget, days, askedMs }: PreviewRequest) =>
  queryOptions({
    queryKey: ['alarms', projectId, 'preview', { budget, days, askedMs }],
    queryFn: ({ signal }) =>
      request<Preview>('GET', withQuery(`${pathOf(projectId)}/preview`, { budget, days }), { signal }),
    ...REPEATED_BY_USERS,
  });

/** When a rule would have opened an incident in the past 30 days. */
export const rulePreviewQuery = (projectId: string, rule: CountRule) =>
  queryOptions({
    queryKey: ['alarms', projectId, 'rule', rule],
    queryFn: ({ signal }) =>
      request<RulePreview>('POST', `${pathOf(projectId)}/rule-preview`, { body: rule, signal }),
    placeholderData: keepPreviousData,
    ...REPEATED_BY_USERS,
  });
