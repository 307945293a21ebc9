import type { CorrelationValue } from './clean/correlation.ts';

export interface TocsinOptions {
  /** API key of the project. Without a usable one every call is lost as `no_api_key`. */
  apiKey: string;
  /** URL of the ingestion; default `http://127.0.0.1:4100`. A path prefix is kept. */
  baseUrl?: string | undefined;
  /** Maximum duration of one attempt; default 5,000. A call with all of its attempts takes at most 30 s. */
  timeoutMs?: number | undefined;
  /** Maximum repeats of a failed attempt; default 3, at most 10. */
  maxRetries?: number | undefined;
  /**
   * Environment of every call that names none, at most 64 characters, such as `staging`. Without it events have the
   * environment of their project.
   */
  environment?: string | undefined;
}

export type Severity = 'info' | 'warn' | 'error' | 'critical';

/** Ids that an event shares with others: at most 32 keys, texts of at most 256 characters. */
export interface Correlation {
  user_id?: CorrelationValue | undefined;
  customer_id?: CorrelationValue | undefined;
  order_id?: CorrelationValue | undefined;
  [key: string]: CorrelationValue | undefined;
}

export interface CaptureOptions {
  /** Kind of event, at most 128 characters, such as `checkout`. */
  type: string;
  severity: Severity;
  /** Sentence for people, at most 32,768 characters. */
  message: string;
  correlation?: Correlation | undefined;
  /** Service or component, at most 256 characters. */
  source?: string | undefined;
  /** Further data; a payload that makes the event larger than 1 MiB is replaced by `{ truncated: true }`. */
  payload?: object | undefined;
  /** The version of the application, at most 128 characters. */
  release?: string | undefined;
  /** Environment of the event, at most 64 characters; default: that of the client. */
  environment?: string | undefined;
  /**
   * Texts that identify events of the same kind, in place of the computed fingerprint: at most 32 of 256 characters.
   * `{{ default }}` inserts the computed one.
   */
  fingerprint?: readonly string[] | undefined;
  /** Time of the event, at most 7 days ago; default: now. */
  capturedAt?: Date | string | undefined;
}

/** Request in which an error occurred. */
export interface ErrorContext {
  /** Status from 100 to 599; default 500. */
  status_code?: number | undefined;
  path?: string | undefined;
  method?: string | undefined;
  correlation?: Correlation | undefined;
  /** The version of the application, at most 128 characters. */
  release?: string | undefined;
  /** Environment of the event, at most 64 characters; default: that of the client. */
  environment?: string | undefined;
  /** Same as in `CaptureOptions`. */
  fingerprint?: readonly string[] | undefined;
}

/** Deploy of a release in an environment. */
export interface DeployOptions {
  /** Version, as in the `release` of events, at most 128 characters. A deploy without one is lost as `refused`. */
  release: string;
  /** Environment in which it runs, at most 64 characters; default: that of the client, else of the project. */
  environment?: string | undefined;
  /** Time of the deploy, at most 30 days ago; default: now. */
  at?: Date | string | undefined;
}

/** Answer of the server: the event is durably stored there when a call resolves to it. */
export interface IngestResult {
  jobId: string;
  status: string;
}

/** Reason why a call was lost; the list is closed. */
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
  /** The server refuses the event (any other answer that a repeat would not change). */
  | 'refused'
  /** The server kept answering 429. */
  | 'rate_limited'
  /** The server kept answering 5xx. */
  | 'server_error'
  /** No answer in time. */
  | 'timeout'
  /** The server could not be reached. */
  | 'network'
  /** A success without its result: probably not a Tocsin server. */
  | 'invalid_response'
  /** A fault of this library. */
  | 'internal';

/** Numbers of calls; each call ever made is in exactly one of them. */
export interface Stats {
  /** Number of calls that resolved to a result. */
  sent: number;
  /** Number of calls that wait for a request. */
  waiting: number;
  /** Number of calls in a request, or between two attempts of it. */
  underWay: number;
  /** Number of calls that resolved to null, by reason. */
  lost: Record<LossReason, number>;
}
