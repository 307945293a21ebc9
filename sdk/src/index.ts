export { Tocsin, Tocsin as default } from './tocsin.ts';
export type {
  CaptureOptions,
  Correlation,
  CorrelationValue,
  ErrorContext,
  IngestResult,
  LossReason,
  Severity,
  Stats,
  TocsinOptions,
} from './types.ts';
