import { Gauge, type Registry } from 'prom-client';

/** Metrics of the running program's version. */
export interface BuildMetrics {
  buildInfo: Gauge<'version' | 'schema'>;
}

export function createBuildMetrics(registers: Registry[]): BuildMetrics {
  return {
    buildInfo: new Gauge({
      name: 'tocsin_build_info',
      help: 'Always 1: the version of the program, and the newest schema that it knows',
      labelNames: ['version', 'schema'],
      registers,
    }),
  };
}
