/** Size of a record. */
export interface RecordSize {
  projectId: string;
  events: number;
  bytes: number;
}

/** Sums of the sizes of records, in all and by project. */
export class Usage {
  readonly #projects = new Map<string, { events: number; bytes: number }>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  /** Numbers of events by project. */
  *events(): Generator<[projectId: string, events: number]> {
    for (const [projectId, { events }] of this.#projects) yield [projectId, events];
  }

  bytesOf(projectId: string): number {
    return this.#projects.get(projectId)?.bytes ?? 0;
  }

  add({ projectId, events, bytes }: RecordSize): void {
    const sum = this.#projects.get(projectId) ?? { events: 0, bytes: 0 };
    this.#projects.set(projectId, { events: sum.events + events, bytes: sum.bytes + bytes });
    this.#bytes += bytes;
  }

  remove({ projectId, events, bytes }: RecordSize): void {
    this.add({ projectId, events: -events, bytes: -bytes });
    if (this.bytesOf(projectId) === 0) this.#projects.delete(projectId);
  }
}
