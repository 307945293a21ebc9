import type { CorrelationValue } from './clean/correlation.ts';

export interface TocsinOptions {
  /** The project's API key. Without a usable one every call is lost as `no_api_key`. */
  apiKey: string;
  /** Where the ingestion listens; default `http://127.0.0.1:4100`. A path prefix is kept. */
  baseUrl?: string | undefined;
  /** How long one attempt may take; default 5,000. A call with all of its attempts takes at most 30 s. */
  timeoutMs?: number | undefined;
  /** How often a failed attempt is repeated; default 3, at most 10. */
  maxRetries?: number | undefined;
}

export type Severity = 'info' | 'warn' | 'error' | 'critical';

/** What an event has in common with others: at most 32 keys, texts of at most 256 characters. */
export interface Correlation {
  user_id?: CorrelationValue | undefined;
  customer_id?: CorrelationValue | undefined;
  order_id?: CorrelationValue | undefined;
  [key: string]: CorrelationValue | undefined;
}

export interface CaptureOptions {
  /** What happened, at most 128 characters, such as `checkout.completed`. */
  type: string;
  severity: Severity;
  /** A sentence for people, at most 32,768 characters. */
  message: string;
  correlation?: Correlation | undefined;
  /** The service or component, at most 256 characters. */
  source?: string | undefined;
  /** Anything else; one that makes the event larger than 1 MiB is replaced by `{ truncated: true }`. */
  payload?: object | undefined;
  /** The version of the application, at most 128 characters. */
  release?: string | undefined;
  /**
   * What events of the same kind have in common, in place of what Tocsin computes: at most 32 texts of 256 characters.
   * `{{ default }}` stands for the computed one.
   */
  fingerprint?: readonly string[] | undefined;
  /** When it happened, if not now: at most 7 days ago. */
  capturedAt?: Date | string | undefined;
}

/** The request in which an error occurred. */
export interface ErrorContext {
  /** From 100 to 599; default 500. */
  status_code?: number | undefined;
  path?: string | undefined;
  method?: string | undefined;
  correlation?: Correlation | undefined;
  /** The version of the application, at most 128 characters. */
  release?: string | undefined;
  /** As in `CaptureOptions`. */
  fingerprint?: readonly string[] | undefined;
}

/** A release that begins to run somewhere. */
export interface DeployOptions {
  /** The version as events name it in `release`, at most 128 characters. A deploy without one is lost as `refused`. */
  release: string;
  /** Where it runs, at most 64 characters; default `production`. */
  environment?: string | undefined;
  /** When it was deployed, if not now: at most 30 days ago. */
  at?: Date | string | undefined;
}

/** The server's answer: the event is durably stored there when a call resolves to it. */
export interface IngestResult {
  jobId: string;
  status: string;
}

/** Why a call was lost; the list is closed. */
export type LossReason =
  /** The client was constructed without a usable key. */
  | 'no_api_key'
  /** The client was constructed with a `baseUrl` that is no http or https address. */
  | 'invalid_base_url'
  /** The call came after `close()`. */
  | 'closed'
  /** Too many calls were waiting already. */
  | 'queue_full'
  /** The server does not know the key (401, 403). */
  | 'unauthorized'
  /** The server does not take the event (any other answer that repeating would not change). */
  | 'refused'
  /** The server kept answering 429. */
  | 'rate_limited'
  /** The server kept answering 5xx. */
  | 'server_error'
  /** No answer in time. */
  | 'timeout'
  /** The server could not be reached. */
  | 'network'
  /** A success without the result that belongs to it: probably not a Tocsin server. */
  | 'invalid_response'
  /** A fault of this library. */
  | 'internal';

/** Every call ever made is in exactly one of these numbers. */
export interface Stats {
  /** Calls that resolved to a result. */
  sent: number;
  /** Calls that wait for a request. */
  waiting: number;
  /** Calls in a request, or between two attempts of it. */
  underWay: number;
  /** Calls that resolved to null, by reason. */
  lost: Record<LossReason, number>;
}
