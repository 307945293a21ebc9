import { queryOptions } from '@tanstack/react-query';
import { MAX_SEARCH_LENGTH } from '../../../../server/src/events/limits.ts';
import { requestIncidents } from './queries.ts';

/* What the command palette offers. */

/** Open incidents that it reads in one answer. */
const PALETTE_LENGTH = 100;

/** The newest open incidents, in one answer. */
export const newestOpenIncidentsQuery = queryOptions({
  queryKey: ['incidents', 'newest open'],
  queryFn: ({ signal }) => requestIncidents({ status: 'open', limit: PALETTE_LENGTH }, signal),
});

/** How many incidents that hold a text the command palette offers. */
const FOUND_LENGTH = 8;

/** The newest incidents that hold a text, of any status. */
export const foundIncidentsQuery = (text: string) =>
  queryOptions({
    queryKey: ['incidents', 'found', text],
    queryFn: ({ signal }) =>
      requestIncidents({ q: text.slice(0, MAX_SEARCH_LENGTH), limit: FOUND_LENGTH }, signal),
  });
