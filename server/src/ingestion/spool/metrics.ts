import { Gauge, type Registry } from 'prom-client';

/** Metrics of the spool. */
export interface SpoolMetrics {
  spoolEvents: Gauge;
  spoolBytes: Gauge;
  /** Reads at each scrape what waits on the disk of this process. */
  measureSpool: (measure: () => { events: number; bytes: number }) => void;
}

export function createSpoolMetrics(registers: Registry[]): SpoolMetrics {
  let measure = () => ({ events: 0, bytes: 0 });
  return {
    spoolEvents: new Gauge({
      name: 'tocsin_spool_events',
      help: 'Events that wait on disk until the database takes them',
      registers,
      collect() {
        this.set(measure().events);
      },
    }),
    spoolBytes: new Gauge({
      name: 'tocsin_spool_bytes',
      help: 'Bytes of the events that wait on disk',
      registers,
      collect() {
        this.set(measure().bytes);
      },
    }),
    measureSpool: (next) => void (measure = next),
  };
}
