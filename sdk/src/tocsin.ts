import { Client } from './client.ts';
import { systemRuntime } from './runtime.ts';
import type {
  CaptureOptions,
  DeployOptions,
  ErrorContext,
  IngestResult,
  Stats,
  TocsinOptions,
} from './types.ts';

/**
 * Sends events, errors and deploys to a Tocsin server. Make one and use it everywhere.
 *
 * Nothing here throws or rejects, for any argument. A call that could not be delivered resolves to
 * null, writes one line to `console.error` and is counted in `stats()`. The methods may be passed around
 * without their object: `work().catch(tocsin.captureError)`.
 */
export class Tocsin {
  readonly #client: Client;

  constructor(options: TocsinOptions) {
    this.#client = new Client(options, systemRuntime);
  }

  /**
   * Sends a custom event. Awaiting it means that the event is durably stored at the server, or that the
   * loss was reported; not awaiting it is fine.
   * @returns the server's answer, or null if the event was lost
   */
  readonly capture = (options: CaptureOptions): Promise<IngestResult | null> => this.#client.capture(options);

  /**
   * Reports an error of a server. Await it if the process may exit next. Takes any thrown value;
   * its name, message, stack and causes are sent.
   * @returns the server's answer, or null where the report was lost
   */
  readonly captureError = (error: unknown, context?: ErrorContext): Promise<IngestResult | null> =>
    this.#client.captureError(error, context);

  /**
   * Reports that a release was deployed: charts mark it, and incidents name it. A repeat by release
   * and environment is the same deploy, so every process of a release may report it when it starts. Delivered like an
   * event: awaiting it means that the deploy is durably stored at the server, or that the loss was reported.
   * @returns the server's answer, or null where the report was lost
   */
  readonly deploy = (options: DeployOptions): Promise<IngestResult | null> => this.#client.deploy(options);

  /** Resolves when every call made so far is delivered or lost, at most 30 s after the last of them. */
  readonly flush = (): Promise<void> => this.#client.flush();

  /** Refuses further calls (they are lost as `closed`) and flushes. */
  readonly close = (): Promise<void> => this.#client.close();

  /** Returns the numbers of sent, waiting and lost calls. */
  readonly stats = (): Stats => this.#client.stats();
}
