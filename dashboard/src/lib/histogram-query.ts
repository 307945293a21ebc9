import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { countInScans, type RangedFilter } from './histogram-scans.ts';
import { expensive } from './queries.ts';

const HISTOGRAM_RENEWED_MS = 15_000;

/** @param scans maximum number of scans, each further back than the previous one; several are not renewed automatically */
export const histogramQuery = (filter: RangedFilter, scans: number) =>
  queryOptions({
    queryKey: ['events', 'histogram', filter, scans],
    queryFn: ({ signal }) => countInScans(filter, scans, signal),
    placeholderData: keepPreviousData,
    ...expensive(scans === 1 && HISTOGRAM_RENEWED_MS),
  });
