import path from 'node:path';
import { waitFor } from '../../server/test/support/wait.ts';
import { MINUTE_MS } from '../risk/project.ts';
import { startOf } from '../risk/scenarios/simulated-service.ts';
import type { AcceleratedService } from './accelerated-service.ts';
import type { LiveProject } from './live-project.ts';
import { lookAtPage, type ShownIncident } from './look.ts';

/** How long after the frame a person on call opens the page. */
const LOOK_AFTER_MS = 10 * MINUTE_MS;

/** Values that frame, API and page have to agree on. */
interface Headline {
  title: string;
  severity: string;
  sentence: string;
}

export interface WatchedIncident {
  id: string;
  /** From the beginning of the trouble to the frame. */
  frameMinutes: number;
  /** Headline of the first frame. */
  first: Headline;
  /** Headlines of later frames in which title, sentence or severity changed. */
  later: { minutes: number; headline: Headline }[];
  /** Differences between frame, API and page, ten minutes after the frame. */
  differences: string[];
  hasBeenLookedAt: boolean;
  resolvedMinutes: number | null;
}

export interface WatchedProject {
  project: LiveProject;
  /** Opened before the trouble. */
  before: { title: string; sentence: string }[];
  incidents: WatchedIncident[];
}

/** Follows the frames of each project, and looks into API and page after the first one of each incident. */
export class Watch {
  readonly #accelerated: AcceleratedService;
  readonly #projects: (WatchedProject & { framesRead: number })[];
  readonly #pictures: string | null;
  #lastFrameId = 0;
  #framesExpected = 0;

  constructor(accelerated: AcceleratedService, projects: LiveProject[], pictures: string | null) {
    this.#accelerated = accelerated;
    this.#projects = projects.map((project) => ({ project, before: [], incidents: [], framesRead: 0 }));
    this.#pictures = pictures;
  }

  async connect(): Promise<void> {
    for (const { project } of this.#projects) await project.connect(this.#accelerated.service);
    this.#lastFrameId = (await this.#findFrames()).lastId;
    for (const watched of this.#projects) {
      const { api } = watched.project.user;
      const { body } = await api.get(`/incidents?project_id=${watched.project.projectId}`);
      for (const incident of body) watched.before.push(toHeadline(incident));
    }
  }

  /** Reads the frames since the last call. */
  async check(): Promise<void> {
    await this.#framesArrived();
    for (const watched of this.#projects) {
      const { frames } = watched.project;
      for (const frame of frames.slice(watched.framesRead)) {
        if (frame.event.startsWith('incident_')) this.#follow(watched, frame);
      }
      watched.framesRead = frames.length;
      for (const incident of watched.incidents) {
        const isTime = this.#minutes(watched) - incident.frameMinutes >= LOOK_AFTER_MS / MINUTE_MS;
        if (isTime && !incident.hasBeenLookedAt) await this.#compare(watched, incident);
      }
    }
  }

  async finish(): Promise<WatchedProject[]> {
    for (const watched of this.#projects) {
      for (const incident of watched.incidents) {
        if (!incident.hasBeenLookedAt) await this.#compare(watched, incident);
      }
    }
    return this.#projects;
  }

  #follow(watched: WatchedProject, { event, data }: LiveProject['frames'][number]): void {
    const minutes = this.#minutes(watched);
    const headline = toHeadline(data);
    if (minutes < 0) {
      if (event === 'incident_created') watched.before.push(headline);
      return;
    }
    // An incident that opens once nothing is sent any more has nothing to do with the trouble.
    if (minutes > watched.project.span.endMinute - watched.project.span.beginMinute) return;
    const known = watched.incidents.find(({ id }) => id === data.id);
    if (!known) {
      if (event !== 'incident_created') return;
      const { title, severity, sentence } = headline;
      const after = `${watched.project.scenario.id} after ${Math.round(minutes)} min`;
      console.log(`${after}, ${severity}: ${title} | ${sentence}`);
      watched.incidents.push({
        id: data.id,
        frameMinutes: minutes,
        first: headline,
        later: [],
        differences: [],
        hasBeenLookedAt: false,
        resolvedMinutes: null,
      });
      return;
    }
    if (data.status === 'resolved') known.resolvedMinutes ??= minutes;
    const last = known.later.at(-1)?.headline ?? known.first;
    if (JSON.stringify(last) !== JSON.stringify(headline)) known.later.push({ minutes, headline });
  }

  async #compare({ project }: WatchedProject, incident: WatchedIncident): Promise<void> {
    incident.hasBeenLookedAt = true;
    const frame = incident.later.at(-1)?.headline ?? incident.first;
    const { status, body } = await project.user.api.get(`/incidents/${incident.id}`);
    if (status !== 200) throw new Error(`The incident was answered ${status}.`);
    const api = toHeadline(body);
    const { differences } = incident;
    const where = `${project.scenario.id} ${incident.id}`;
    if (JSON.stringify(frame) !== JSON.stringify(api))
      differences.push(`${where}: frame ${JSON.stringify(frame)}, API ${JSON.stringify(api)}`);
    const page = await this.#openPage(project, incident);
    if (page instanceof Error) {
      differences.push(`${where}: the page cannot be read: ${page.message}`);
      return;
    }
    if (page.heading !== asShown(api.sentence))
      differences.push(`${where}: API "${api.sentence}", page "${page.heading}"`);
    if (page.severity !== api.severity)
      differences.push(`${where}: API ${api.severity}, page ${page.severity}`);
    for (const fault of page.faults) differences.push(`${where}: ${fault}`);
  }

  /** A page that does not open is a difference, and no end of the run. */
  async #openPage(project: LiveProject, incident: WatchedIncident): Promise<ShownIncident | Error> {
    const picture = this.#pictures && path.join(this.#pictures, `${project.scenario.id}-${incident.id}.png`);
    try {
      return await lookAtPage(this.#accelerated, project, { incidentId: incident.id, picture });
    } catch (error) {
      if (error instanceof Error) return error;
      throw error;
    }
  }

  #minutes({ project }: WatchedProject): number {
    return (this.#accelerated.clock.now() - startOf(project.span.beginMinute)) / MINUTE_MS;
  }

  /** Frames that are written reach their sockets in a moment: they count for the minute that wrote them. */
  async #framesArrived(): Promise<void> {
    const { count, lastId } = await this.#findFrames();
    this.#lastFrameId = lastId;
    this.#framesExpected += count;
    await waitFor('the frames', () => this.#countFrames() >= this.#framesExpected);
  }

  #countFrames(): number {
    return this.#projects
      .flatMap(({ project }) => project.frames)
      .filter(({ event }) => event.startsWith('incident_')).length;
  }

  async #findFrames(): Promise<{ count: number; lastId: number }> {
    const { rows } = await this.#accelerated.service.database.pool.query<{ count: number; lastId: number }>(
      'SELECT count(*)::int AS count, coalesce(max(id), $1)::int AS "lastId" FROM incident_frames WHERE id > $1',
      [this.#lastFrameId],
    );
    return rows[0] ?? { count: 0, lastId: this.#lastFrameId };
  }
}

/** Returns the headline in a body whose shape the service documents. */
function toHeadline(incident: {
  title: string;
  severity: string;
  evidence: { sentence: string } | null;
}): Headline {
  return {
    title: incident.title,
    severity: incident.severity,
    sentence: incident.evidence?.sentence ?? '',
  };
}

/** As a page in UTC shows it: names without backticks, times without their zone. */
function asShown(text: string): string {
  return text.replaceAll('`', '').replaceAll(' UTC', '').replaceAll(/\s+/g, ' ').trim();
}
