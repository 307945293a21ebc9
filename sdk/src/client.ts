import type { Call } from './call.ts';
import { deployJson, deployRelease, deployTimeMs } from './clean/deploy.ts';
import { errorName } from './clean/error.ts';
import { eventJson, eventType, ownTimeMs } from './clean/event.ts';
import { serverErrorJson } from './clean/server-error.ts';
import { utf8Bytes } from './clean/utf8.ts';
import { Dispatcher } from './dispatcher.ts';
import { type Loss, LossLog } from './losses.ts';
import { readOptions, type Settings } from './options.ts';
import { internalFailure, type Outcome } from './outcome.ts';
import { RequestWriter } from './requests.ts';
import type { Runtime } from './runtime.ts';
import type { IngestResult, LossReason, Stats } from './types.ts';

/**
 * The path of a call: cleaned and written as JSON at once → waits → leaves in a request → its promise
 * resolves. Nothing throws or rejects anywhere on it; the `LossLog` records what leaves the path early.
 */
export class Client {
  readonly #settings: Settings;
  readonly #runtime: Runtime;
  readonly #losses: LossLog;
  readonly #dispatcher: Dispatcher;
  readonly #unsettled = new Set<Promise<unknown>>();
  #sequence = 0;
  #sent = 0;
  #closing: Promise<void> | null = null;

  constructor(options: unknown, runtime: Runtime) {
    const settings = readOptions(options);
    this.#settings = settings;
    this.#runtime = runtime;
    this.#losses = new LossLog(settings.apiKey);
    const writer = new RequestWriter(settings, runtime.random);
    this.#dispatcher = new Dispatcher({ settings, runtime, writer }, (call, outcome) =>
      this.#settle(call, outcome),
    );
    if (settings.fault) this.#losses.print(`nothing will be sent: ${settings.fault.explanation}`);
  }

  capture(options: unknown): Promise<IngestResult | null> {
    return this.#accept({
      kind: 'event',
      subject: () => `capture "${eventType(options)}"`,
      json: () => eventJson(options),
      ownTimeMs: (nowMs) => ownTimeMs(options, nowMs),
    });
  }

  captureError(error: unknown, context: unknown): Promise<IngestResult | null> {
    return this.#accept({
      kind: 'server_error',
      subject: () => `captureError "${errorName(error)}"`,
      json: () => serverErrorJson(error, context),
      ownTimeMs: () => undefined,
    });
  }

  deploy(options: unknown): Promise<IngestResult | null> {
    return this.#accept({
      kind: 'deploy',
      subject: () => `deploy "${deployRelease(options) ?? ''}"`,
      fault: () => (deployRelease(options) === undefined ? 'it has no release' : null),
      json: () => deployJson(options),
      ownTimeMs: (nowMs) => deployTimeMs(options, nowMs),
    });
  }

  async flush(): Promise<void> {
    await Promise.all(this.#unsettled);
  }

  close(): Promise<void> {
    this.#closing ??= this.flush();
    return this.#closing;
  }

  stats(): Stats {
    return {
      sent: this.#sent,
      waiting: this.#dispatcher.callsWaiting,
      underWay: this.#dispatcher.callsUnderWay,
      lost: this.#losses.counts(),
    };
  }

  async #accept(draft: Draft): Promise<IngestResult | null> {
    let subject: string = draft.kind;
    try {
      subject = draft.subject();
      const refusal = this.#refusal();
      if (refusal) return this.#lose({ subject, ...refusal });
      const fault = draft.fault?.() ?? null;
      if (fault !== null) return this.#lose({ subject, reason: 'refused', detail: fault });
      const json = draft.json();
      const bytes = utf8Bytes(json);
      if (!this.#dispatcher.hasRoomFor(bytes)) return this.#lose({ subject, reason: 'queue_full' });
      return await this.#enqueue(draft, subject, json, bytes);
    } catch (error) {
      return this.#lose({ subject, ...internalFailure(error) });
    }
  }

  /** Told before the costly part, the cleaning. */
  #refusal(): { reason: LossReason; detail?: string } | null {
    const { fault } = this.#settings;
    if (fault) return { reason: fault.reason, detail: fault.explanation };
    if (this.#closing) return { reason: 'closed' };
    return this.#dispatcher.hasRoomFor(0) ? null : { reason: 'queue_full' };
  }

  #enqueue(draft: Draft, subject: string, json: string, bytes: number): Promise<IngestResult | null> {
    const nowMs = this.#runtime.wallClockMs();
    const ownTimeMs = draft.ownTimeMs(nowMs);
    const settled = new Promise<IngestResult | null>((resolve) => {
      this.#dispatcher.add({
        kind: draft.kind,
        sequence: this.#sequence++,
        subject,
        json,
        bytes,
        calledAtMs: this.#runtime.monotonicMs(),
        capturedAtMs: ownTimeMs ?? nowMs,
        timePolicy:
          draft.kind === 'server_error' ? 'never' : ownTimeMs === undefined ? 'when_late' : 'always',
        resolve: (result) => {
          this.#unsettled.delete(settled);
          resolve(result);
        },
      });
    });
    this.#unsettled.add(settled);
    return settled;
  }

  #settle(call: Call, outcome: Outcome): void {
    if (outcome.kind === 'sent') {
      this.#sent++;
      call.resolve(outcome.result);
    } else {
      call.resolve(this.#lose({ subject: call.subject, ...outcome }));
    }
  }

  #lose(loss: Loss): null {
    this.#losses.lose(loss);
    return null;
  }
}

/** A call as the application made it; its parts may be costly, and are only asked for once it is accepted. */
interface Draft {
  kind: Call['kind'];
  subject: () => string;
  /** Why the server would not take it, which is then not asked. */
  fault?: () => string | null;
  json: () => string;
  ownTimeMs: (nowMs: number) => number | undefined;
}
