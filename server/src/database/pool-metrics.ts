import { Gauge, type Registry } from 'prom-client';
import type { Pool } from './database.ts';

/** Metrics of a process' pools of database connections. */
export interface PoolMetrics {
  /** Measures the pool from now on, until it ends. */
  add: (name: string, pool: Pool) => void;
}

export function createPoolMetrics(registry: Registry): PoolMetrics {
  const pools = new Map<string, Pool>();
  const connections = new Gauge({
    name: 'tocsin_pool_connections',
    help: 'Open database connections, by pool and whether they are idle or in use',
    labelNames: ['pool', 'state'],
    registers: [],
    collect() {
      this.reset();
      for (const [name, pool] of pools) {
        this.set({ pool: name, state: 'idle' }, pool.idleCount);
        this.set({ pool: name, state: 'used' }, pool.totalCount - pool.idleCount);
      }
    },
  });
  const maximum = new Gauge({
    name: 'tocsin_pool_max_connections',
    help: 'Database connections that the pool may open',
    labelNames: ['pool'],
    registers: [],
    collect() {
      this.reset();
      for (const [name, pool] of pools) this.set({ pool: name }, pool.options.max);
    },
  });
  const waiting = new Gauge({
    name: 'tocsin_pool_waiting',
    help: 'Queries that wait for a connection of the pool',
    labelNames: ['pool'],
    registers: [],
    collect() {
      this.reset();
      for (const [name, pool] of pools) this.set({ pool: name }, pool.waitingCount);
    },
  });
  for (const metric of [connections, maximum, waiting]) registry.registerMetric(metric);
  return {
    add: (name, pool) => {
      for (const [known, { ending }] of pools) if (ending) pools.delete(known);
      pools.set(name, pool);
    },
  };
}
