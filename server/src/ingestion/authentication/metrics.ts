import { Histogram, type Registry } from 'prom-client';
import { BATCH_SIZES } from '../../platform/batch-sizes.ts';

/** Metrics of the lookup of API keys. */
export interface KeyLookupMetrics {
  keyLookupBatchKeys: Histogram;
}

export function createKeyLookupMetrics(registers: Registry[]): KeyLookupMetrics {
  return {
    keyLookupBatchKeys: new Histogram({
      name: 'tocsin_key_lookup_batch_keys',
      help: 'API keys checked by one query',
      buckets: BATCH_SIZES,
      registers,
    }),
  };
}
