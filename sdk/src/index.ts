export type { CorrelationValue } from './clean/correlation.ts';
export { Tocsin, Tocsin as default } from './tocsin.ts';
export type {
  CaptureOptions,
  Correlation,
  DeployOptions,
  ErrorContext,
  IngestResult,
  LossReason,
  Severity,
  Stats,
  TocsinOptions,
} from './types.ts';
