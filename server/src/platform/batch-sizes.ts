/** Upper bounds of the buckets of batch size histograms. */
export const BATCH_SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];
