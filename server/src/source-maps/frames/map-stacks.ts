import type { FrameMapper } from './frame-mapper.ts';
import { readBuiltStacks } from './read-built-stacks.ts';
import type { SourceCause, SourceFrame } from './schema.ts';

interface StoredEvent {
  organizationId: string;
  projectId: string;
  payload: Record<string, unknown>;
}

/** Returns the frames of an event and those of its causes in their sources. */
export async function mapStacks(
  frameMapper: FrameMapper,
  { organizationId, projectId, payload }: StoredEvent,
): Promise<{ frames: SourceFrame[]; causes: SourceCause[] }> {
  const { frames, causes } = readBuiltStacks(payload);
  const stacks = [frames, ...causes.map((cause) => cause.frames)];
  const [thrown = [], ...others] = await frameMapper.map(
    stacks.map((stack) => ({ projectId, frames: stack })),
    { organizationId },
  );
  return {
    frames: thrown,
    causes: causes.map((cause, index) => ({ ...cause, frames: others[index] ?? [] })),
  };
}
