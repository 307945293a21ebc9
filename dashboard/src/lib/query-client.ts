import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';

/**
 * A query client whose invalidations hold for queries without an answer as well: the first answer may have been made before
 * the change that invalidates it, so it is read again. The library's own takes it for the answer to the invalidation.
 */
export class StrictQueryClient extends QueryClient {
  override async invalidateQueries(
    filters?: InvalidateQueryFilters,
    options?: InvalidateOptions,
  ): Promise<void> {
    const loading = this.getQueryCache()
      .findAll({ ...filters, fetchStatus: 'fetching' })
      .filter(({ state }) => state.data === undefined)
      .map(async ({ promise, queryKey }) => {
        await promise?.catch(() => undefined);
        await super.invalidateQueries({ queryKey, exact: true }, options);
      });
    await Promise.all([super.invalidateQueries(filters, options), ...loading]);
  }
}
