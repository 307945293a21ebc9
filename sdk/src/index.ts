export { Tocsin, Tocsin as default } from './tocsin.ts';
export type {
  CaptureOptions,
  Correlation,
  CorrelationValue,
  DeployOptions,
  ErrorContext,
  IngestResult,
  LossReason,
  Severity,
  Stats,
  TocsinOptions,
} from './types.ts';
