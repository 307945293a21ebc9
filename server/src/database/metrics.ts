import { Counter, Gauge, type Registry } from 'prom-client';

/** Metrics of the database as a whole. */
export interface DatabaseMetrics {
  databaseRewound: Counter;
  synchronousStandbys: Gauge;
}

export function createDatabaseMetrics(registers: Registry[], ofWorker: Registry[]): DatabaseMetrics {
  return {
    databaseRewound: new Counter({
      name: 'tocsin_database_rewound_total',
      help: 'Times that the database was found without commits that it had acknowledged',
      registers,
    }),
    synchronousStandbys: new Gauge({
      name: 'tocsin_database_synchronous_standbys',
      help: 'Standbys that each commit waits for or may wait for; -1: the role may not see them',
      registers: ofWorker,
    }),
  };
}
