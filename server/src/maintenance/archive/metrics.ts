import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of the archive. */
export interface ArchiveMetrics {
  archiveLag: Gauge;
  archivedEvents: Counter;
  archiveRepeats: Counter;
}

export function createArchiveMetrics(registers: Registry[]): ArchiveMetrics {
  return {
    archiveLag: new Gauge({
      name: 'tocsin_archive_lag_seconds',
      help: 'Time for which the oldest week that is over has waited to be in the archive; 0: none waits',
      registers,
    }),
    archivedEvents: new Counter({
      name: 'tocsin_archive_events_total',
      help: 'Events that moved to the archive',
      registers,
    }),
    archiveRepeats: new Counter({
      name: 'tocsin_archive_repeated_blocks_total',
      help: 'Blocks of events that the archive had in part or otherwise, and that were sent again',
      registers,
    }),
  };
}
