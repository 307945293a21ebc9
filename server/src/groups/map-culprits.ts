import type { Pool } from '../database/database.ts';
import { toUuid } from '../platform/ids.ts';
import type { FrameMapper } from '../source-maps/frames/frame-mapper.ts';
import { readBuiltStacks } from '../source-maps/frames/read-built-stacks.ts';
import type { SourceFrame } from '../source-maps/frames/schema.ts';
import { MAX_CULPRIT_LENGTH } from './limits.ts';
import { listCulpritFrames } from './queries.ts';
import type { Group } from './schema.ts';

/** Maximum time for which an answer waits; until the maps are read, culprits are those of the built files. */
const MAX_WAIT_MS = 1_000;

export interface CulpritDependencies {
  pool: Pool;
  frameMapper: FrameMapper;
}

/** Returns the groups with their culprits in the sources, where source maps lead there: all of them by two queries. */
export async function mapCulprits<Named extends Pick<Group, 'id' | 'culprit'>>(
  { pool, frameMapper }: CulpritDependencies,
  organizationId: string,
  groups: readonly Named[],
  maxWaitMs = MAX_WAIT_MS,
): Promise<Named[]> {
  const ids = groups.map(({ id }) => toUuid('grp', id) ?? '');
  const rows = ids.length > 0 ? await listCulpritFrames(pool, organizationId, ids) : [];
  const stacks = rows.map(({ projectId, payload }) => ({
    projectId,
    frames: readBuiltStacks(payload).frames,
  }));
  const mapped = await frameMapper.map(stacks, { organizationId, maxWaitMs });
  const culprits = new Map(rows.map(({ id }, index) => [id, culpritOf(mapped[index] ?? [])]));
  return groups.map((group, index) => ({
    ...group,
    culprit: culprits.get(ids[index] ?? '') ?? group.culprit,
  }));
}

/** Words the culprit as that of a built file: a frame in a library of the bundle gives way to one of the application. */
function culpritOf(frames: readonly SourceFrame[]): string | null {
  const culprit = frames.find(({ inApplication }) => inApplication) ?? frames[0];
  if (!culprit) return null;
  return [culprit.function, culprit.file]
    .filter((part) => part !== null)
    .join(' in ')
    .slice(0, MAX_CULPRIT_LENGTH)
    .toWellFormed();
}
