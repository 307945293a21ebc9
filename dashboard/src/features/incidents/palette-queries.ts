import { queryOptions } from '@tanstack/react-query';
import { MAX_SEARCH_LENGTH } from '../../../../server/src/events/limits.ts';
import { requestIncidents } from './queries.ts';

/* Queries of the command palette. */

/** Maximum open incidents, read in one answer. */
const PALETTE_LENGTH = 100;

/** Reads the newest open incidents, in one answer. */
export const newestOpenIncidentsQuery = queryOptions({
  queryKey: ['incidents', 'newest open'],
  queryFn: ({ signal }) => requestIncidents({ status: 'open', limit: PALETTE_LENGTH }, signal),
});

/** Maximum incidents found by a text. */
const FOUND_LENGTH = 8;

/** Reads the newest incidents that hold a text, of any status. */
export const foundIncidentsQuery = (text: string) =>
  queryOptions({
    queryKey: ['incidents', 'found', text],
    queryFn: ({ signal }) =>
      requestIncidents({ q: text.slice(0, MAX_SEARCH_LENGTH), limit: FOUND_LENGTH }, signal),
  });
