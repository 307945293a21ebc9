/** Upper bounds of the histogram's buckets, in seconds. */
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

interface RouteCounts {
  service: string;
  method: string;
  route: string;
  byStatus: Map<number, number>;
  /** Number of answers by bucket, not cumulative; the last one is beyond all bounds. */
  byBucket: number[];
  sumSeconds: number;
}

interface TimedAnswer {
  service: string;
  method: string;
  /** Pattern of the route. */
  route: string;
  status: number;
  elapsedMs: number;
}

/** Counter of the requests of all HTTP applications in a process. */
export interface HttpMetrics {
  requests: RequestMetrics;
}

/**
 * Counts and times of all requests, by route pattern. Our own, because it is on the path of every event: the library
 * resolves the labels again at each observation.
 */
export class RequestMetrics {
  readonly #routes = new Map<string, Map<string, RouteCounts>>();

  record({ service, method, route, status, elapsedMs }: TimedAnswer): void {
    const seconds = elapsedMs / 1000;
    const counts = this.#routes.get(route)?.get(method) ?? this.#add(service, method, route);
    counts.byStatus.set(status, (counts.byStatus.get(status) ?? 0) + 1);
    counts.sumSeconds += seconds;
    let bucket = 0;
    while (bucket < BUCKETS_SECONDS.length && seconds > (BUCKETS_SECONDS[bucket] ?? 0)) bucket++;
    counts.byBucket[bucket] = (counts.byBucket[bucket] ?? 0) + 1;
  }

  /** Formats the Prometheus text format (https://prometheus.io/docs/instrumenting/exposition_formats/). */
  toText(): string {
    const all = [...this.#routes.values()].flatMap((byMethod) => [...byMethod.values()]);
    return [
      '# HELP tocsin_http_requests_total Requests answered, by route pattern and status',
      '# TYPE tocsin_http_requests_total counter',
      ...all.flatMap((counts) =>
        [...counts.byStatus].map(
          ([status, count]) => `tocsin_http_requests_total{${labels(counts)},status="${status}"} ${count}`,
        ),
      ),
      '# HELP tocsin_http_request_duration_seconds Time from the request line to the end of the answer',
      '# TYPE tocsin_http_request_duration_seconds histogram',
      ...all.flatMap(toHistogram),
      '',
    ].join('\n');
  }

  #add(service: string, method: string, route: string): RouteCounts {
    const byMethod = this.#routes.get(route) ?? new Map<string, RouteCounts>();
    this.#routes.set(route, byMethod);
    const counts = { service, method, route, byStatus: new Map(), sumSeconds: 0 };
    const added = { ...counts, byBucket: Array.from({ length: BUCKETS_SECONDS.length + 1 }, () => 0) };
    byMethod.set(method, added);
    return added;
  }
}

function toHistogram(counts: RouteCounts): string[] {
  const name = 'tocsin_http_request_duration_seconds';
  let cumulative = 0;
  const buckets = counts.byBucket.map((count, index) => {
    cumulative += count;
    return `${name}_bucket{${labels(counts)},le="${BUCKETS_SECONDS[index] ?? '+Inf'}"} ${cumulative}`;
  });
  return [
    ...buckets,
    `${name}_sum{${labels(counts)}} ${counts.sumSeconds}`,
    `${name}_count{${labels(counts)}} ${cumulative}`,
  ];
}

/** Formats labels. Patterns and methods come from our own routes: nothing in them needs escaping. */
function labels({ service, method, route }: RouteCounts): string {
  return `service="${service}",method="${method}",route="${route}"`;
}
