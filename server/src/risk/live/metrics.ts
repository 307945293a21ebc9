import { Gauge, type Registry } from 'prom-client';

/** Metrics of the risk loop. */
export interface RiskMetrics {
  riskInboxDepth: Gauge;
  riskLagSeconds: Gauge;
  riskLeader: Gauge;
  riskSeriesInMemory: Gauge;
  riskProjectsOffloaded: Gauge;
  riskProjectsExcluded: Gauge;
  riskRebuilds: Gauge;
  /** Reads at each scrape if this process leads the detection. */
  measureRiskLeader: (measure: () => boolean) => void;
  /** Reads at each scrape the size of the detectors in memory, in series. */
  measureRiskSeries: (measure: () => number) => void;
}

export function createRiskMetrics(registers: Registry[]): RiskMetrics {
  let leads: () => boolean = () => false;
  let countSeries: () => number = () => 0;
  return {
    riskInboxDepth: new Gauge({
      name: 'tocsin_risk_inbox_batches',
      help: 'Processed batches that the risk loop has not read yet',
      registers,
    }),
    riskLagSeconds: new Gauge({
      name: 'tocsin_risk_lag_seconds',
      help: 'How far detection is behind ingestion',
      registers,
    }),
    riskLeader: new Gauge({
      name: 'tocsin_risk_leader',
      help: '1 in the process that leads the detection',
      registers,
      collect() {
        this.set(leads() ? 1 : 0);
      },
    }),
    riskSeriesInMemory: new Gauge({
      name: 'tocsin_risk_series_in_memory',
      help: 'Series that detection holds in memory; other parts of detectors count as series',
      registers,
      collect() {
        this.set(countSeries());
      },
    }),
    riskProjectsOffloaded: new Gauge({
      name: 'tocsin_risk_projects_offloaded',
      help: 'Projects whose detector is saved and not in memory until events come or its next evaluation is due',
      registers,
    }),
    riskProjectsExcluded: new Gauge({
      name: 'tocsin_risk_projects_excluded',
      help: 'Projects that are not evaluated for a while, because their detector failed',
      registers,
    }),
    riskRebuilds: new Gauge({
      name: 'tocsin_risk_projects_awaiting_rebuild',
      help: 'Projects whose detector will be rebuilt from stored counts after an update',
      registers,
    }),
    measureRiskLeader: (measure) => void (leads = measure),
    measureRiskSeries: (measure) => void (countSeries = measure),
  };
}
