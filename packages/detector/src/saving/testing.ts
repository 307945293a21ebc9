import { madeOnce } from '@tocsin/simulation/made-once';
import { ProjectDetector } from '../project/project-detector.ts';
import { DEFAULT_SETTINGS } from '../types.ts';
import { fromBytes, toBytes } from './snapshot.ts';

const SOURCES = ['../', '../../../simulation/src/'].map((folder) => new URL(folder, import.meta.url));

/** A simulated project, as tests feed it with counts. */
interface Simulated {
  detector: ProjectDetector;
}

/**
 * Returns a detector that has a history, loaded from bytes that were made once by `simulate`.
 * @param file the `import.meta.url` of the test file that has the history: the bytes are made again where it changes
 * @param name name of the history, unlike that of all others of the detector
 */
export async function warmDetector(
  file: string,
  name: string,
  simulate: () => Simulated,
): Promise<ProjectDetector> {
  const options = { name: `detector-${name}`, sources: [...SOURCES, new URL(file)] };
  return loaded(await madeOnce(options, () => toBytes(simulate().detector.save())));
}

/** Returns what a worker that takes over has: a detector loaded from the bytes of another. */
export function reloaded(detector: ProjectDetector): ProjectDetector {
  return loaded(toBytes(detector.save()));
}

function loaded(bytes: Uint8Array): ProjectDetector {
  const saved = fromBytes(bytes);
  if (!saved) throw new Error('The bytes were saved by another version.');
  return new ProjectDetector(0, DEFAULT_SETTINGS, saved);
}
