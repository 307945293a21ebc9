import { type Call, subjectOf } from './call.ts';
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
import { StoredBodies, type StoredBody } from './stored-bodies.ts';
import type { IngestResult, LossReason, Stats } from './types.ts';
import { UnsettledCalls } from './unsettled-calls.ts';

/**
 * The path of a call: cleaned and written as JSON at once → waits → leaves in a request → its promise
 * resolves. Nothing on it throws or rejects; the `LossLog` records calls that leave the path early.
 */
export class Client {
  readonly #settings: Settings;
  readonly #runtime: Runtime;
  readonly #losses: LossLog;
  readonly #dispatcher: Dispatcher;
  readonly #bodies = new StoredBodies();
  readonly #unsettled = new UnsettledCalls();
  #sequence = 0;
  #sent = 0;
  #closing: Promise<void> | null = null;

  constructor(options: unknown, runtime: Runtime) {
    const settings = readOptions(options);
    this.#settings = settings;
    this.#runtime = runtime;
    this.#losses = new LossLog(settings.apiKey, runtime);
    const writer = new RequestWriter(settings, runtime.random);
    this.#dispatcher = new Dispatcher({ settings, runtime, writer }, (call, outcome) =>
      this.#settle(call, outcome),
    );
    if (settings.fault) this.#losses.print(`nothing will be sent: ${settings.fault.explanation}`);
  }

  capture(options: unknown): Promise<IngestResult | null> {
    return this.#accept({
      kind: 'event',
      name: () => eventType(options),
      json: () => eventJson(options, this.#settings.environment),
      ownTimeMs: (nowMs) => ownTimeMs(options, nowMs),
    });
  }

  captureError(error: unknown, context: unknown): Promise<IngestResult | null> {
    return this.#accept({
      kind: 'server_error',
      name: () => errorName(error),
      json: () => serverErrorJson(error, context, this.#settings.environment),
      ownTimeMs: () => undefined,
    });
  }

  deploy(options: unknown): Promise<IngestResult | null> {
    return this.#accept({
      kind: 'deploy',
      name: () => deployRelease(options) ?? '',
      fault: () => (deployRelease(options) === undefined ? 'it has no release' : null),
      json: () => deployJson(options, this.#settings.environment),
      ownTimeMs: (nowMs) => deployTimeMs(options, nowMs),
    });
  }

  flush(): Promise<void> {
    return this.#unsettled.whenSettled();
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

  /** Accepts or refuses a call. Not async: the frame would hold the application's objects while the call waits. */
  #accept(draft: Draft): Promise<IngestResult | null> {
    const { kind } = draft;
    let subject: string = kind;
    try {
      const name = draft.name();
      subject = subjectOf({ kind, name });
      const refusal = this.#refusal();
      if (refusal) return this.#loseAtOnce({ subject, ...refusal });
      const fault = draft.fault?.() ?? null;
      if (fault !== null) return this.#loseAtOnce({ subject, reason: 'refused', detail: fault });
      const json = draft.json();
      const hasRoom = this.#dispatcher.hasRoomFor(utf8Bytes(json));
      if (!hasRoom) return this.#loseAtOnce({ subject, reason: 'queue_full' });
      return this.#enqueue(draft, name, this.#bodies.add(json));
    } catch (error) {
      return this.#loseAtOnce({ subject, ...internalFailure(error) });
    }
  }

  /** Returns the reason to refuse a call, before the costly cleaning; null if there is none. */
  #refusal(): { reason: LossReason; detail?: string } | null {
    const { fault } = this.#settings;
    if (fault) return { reason: fault.reason, detail: fault.explanation };
    if (this.#closing) return { reason: 'closed' };
    return this.#dispatcher.hasRoomFor(0) ? null : { reason: 'queue_full' };
  }

  #enqueue(
    { kind, ownTimeMs: readOwnTime }: Draft,
    name: string,
    { chunk, start, bytes }: StoredBody,
  ): Promise<IngestResult | null> {
    const nowMs = this.#runtime.wallClockMs();
    const ownTimeMs = readOwnTime(nowMs);
    const calledAtMs = Math.floor(this.#runtime.monotonicMs());
    return new Promise((resolve) => {
      this.#dispatcher.add({
        kind,
        sequence: this.#sequence++,
        name,
        chunk,
        start,
        bytes,
        calledAtMs,
        capturedAtMs: ownTimeMs ?? nowMs,
        timePolicy: kind === 'server_error' ? 'never' : ownTimeMs === undefined ? 'when_late' : 'always',
        epoch: this.#unsettled.add(),
        resolve,
      });
    });
  }

  #settle(call: Call, outcome: Outcome): void {
    const { resolve } = call;
    call.resolve = null;
    if (outcome.kind === 'sent') {
      this.#sent++;
      resolve?.(outcome.result);
    } else {
      this.#losses.lose({ subject: subjectOf(call), ...outcome });
      resolve?.(null);
    }
    this.#unsettled.settle(call.epoch);
  }

  #loseAtOnce(loss: Loss): Promise<null> {
    this.#losses.lose(loss);
    return Promise.resolve(null);
  }
}

/** A call as the application made it; its parts may be costly, and are only computed once it is accepted. */
interface Draft {
  kind: Call['kind'];
  name: () => string;
  /** Returns the reason why the server would refuse the call, which is then not sent. */
  fault?: () => string | null;
  json: () => string;
  ownTimeMs: (nowMs: number) => number | undefined;
}
