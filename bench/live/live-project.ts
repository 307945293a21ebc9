import type { CountDelta, ErrorDelta } from '@tocsin/detector';
import { Random } from '@tocsin/simulation/random';
import type { TestService, TestUser } from '../../server/test/support/service.ts';
import { openSocket, type TestSocket } from '../../server/test/support/sockets.ts';
import type { Scenario } from '../risk/scenarios/scenario.ts';
import { startOf } from '../risk/scenarios/simulated-service.ts';
import { SimulatedTraffic } from '../risk/scenarios/simulated-traffic.ts';
import { thin } from './thinned.ts';

/** The words of messages that tell apart the error groups of a stream: numbers would be left out of the group. */
const PLACES = ['reading', 'writing', 'closing', 'waiting', 'parsing'];

interface LiveProjectOptions {
  /** The minute at which the day of the trouble begins. */
  troubleDay: number;
  /** Seed of the counts. */
  seed: number;
}

/** A scenario as a project of the service, in an organization of its own. */
export class LiveProject {
  readonly scenario: Scenario;
  readonly user: TestUser;
  readonly projectId: string;
  /** Minutes from a Monday's midnight: the first event, the trouble, and the end of the watch after it. */
  readonly span: { firstMinute: number; beginMinute: number; endMinute: number };
  readonly #ingest: Awaited<ReturnType<TestUser['createProject']>>['ingest'];
  readonly #traffic: SimulatedTraffic;
  readonly #random: Random;
  #socket: TestSocket | null = null;

  private constructor(
    scenario: Scenario,
    user: TestUser,
    created: Awaited<ReturnType<TestUser['createProject']>>,
    { troubleDay, seed }: LiveProjectOptions,
  ) {
    const { project, historyDays } = thin(scenario);
    this.scenario = scenario;
    this.user = user;
    this.projectId = created.id;
    this.#ingest = created.ingest;
    this.#traffic = new SimulatedTraffic(project, seed);
    this.#random = new Random(seed);
    const beginMinute = troubleDay + scenario.beginsAtMinute;
    this.span = {
      firstMinute: troubleDay - historyDays * 1_440,
      beginMinute,
      endMinute: beginMinute + scenario.trouble.minutes + scenario.watchMinutes,
    };
  }

  static async create(
    service: TestService,
    scenario: Scenario,
    drawn: LiveProjectOptions,
  ): Promise<LiveProject> {
    const user = await service.signUp();
    const created = await user.createProject(`${scenario.id} ${scenario.project.name}`);
    return new LiveProject(scenario, user, created, drawn);
  }

  /** The frames of its organization, once `connect` has been called. */
  get frames(): TestSocket['frames'] {
    return this.#socket?.frames ?? [];
  }

  isSending(minute: number): boolean {
    return minute >= this.span.firstMinute && minute < this.span.endMinute;
  }

  /** Logs in again, since a session lasts a week, and subscribes as a dashboard does. */
  async connect(service: TestService): Promise<void> {
    const { api, email, password } = this.user;
    const { status } = await api.post('/auth/login', { email, password });
    if (status !== 200) throw new Error(`The login was answered ${status}.`);
    this.#socket = await openSocket(service.managementUrl, { cookie: api.cookie });
  }

  /** Sends the events of a minute in one request. */
  async send(minute: number): Promise<number> {
    const { trouble } = this.scenario;
    const troubleMinute = minute - this.span.beginMinute;
    const { deltas, errors } = this.#traffic.next({
      minute,
      startMs: startOf(minute),
      trouble,
      troubleMinute,
    });
    const events = deltas.flatMap((delta) => this.#toEvents(delta, errors));
    if (events.length === 0) return 0;
    const { status, body } = await this.#ingest.post('/ingest/bulk', events);
    if (status !== 202 || !body.every((line: object) => 'jobId' in line))
      throw new Error(`The bulk request was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    return events.length;
  }

  #toEvents({ type, source, severity, count }: CountDelta, errors: ErrorDelta[]) {
    const groups = errors.filter(
      (error) => error.type === type && error.source === source && error.severity === severity,
    );
    return Array.from({ length: count }, () => {
      const group = groups[Math.floor(groups.length * this.#random.uniform())];
      const message = group ? nameGroup(group.message ?? '') : `${type} is done`;
      return { type, source, severity: severity.toUpperCase(), message };
    });
  }
}

/** `Failure 1 of web http` → `Failure while writing (web http)`. */
function nameGroup(message: string): string {
  const [, name, group, stream] = /^(.*) (\d+) of (.*)$/.exec(message) ?? [];
  return name === undefined ? message : `${name} while ${PLACES[Number(group)] ?? group} (${stream})`;
}
