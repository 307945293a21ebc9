import { Counter, type Registry } from 'prom-client';

/** Metrics of the log. */
export interface LogMetrics {
  logLinesLost: Counter;
  /** Set if the log goes to a file or pipe that may refuse it; read at each scrape. */
  measureLogLinesLost: (measure: () => number) => void;
}

export function createLogMetrics(registers: Registry[]): LogMetrics {
  let countLost: () => number = () => 0;
  return {
    logLinesLost: new Counter({
      name: 'tocsin_log_lines_lost_total',
      help: 'Log lines dropped because standard output took no more',
      registers,
      collect() {
        this.reset();
        this.inc(countLost());
      },
    }),
    measureLogLinesLost: (measure) => void (countLost = measure),
  };
}
