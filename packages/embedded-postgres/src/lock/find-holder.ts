import { layOut } from '../data-directory/data-directory.ts';
import { readIfThere } from '../data-directory/files.ts';
import { processStart } from '../process/process-table.ts';
import { parseHolder } from './lock-file.ts';
import { findPlace } from './place.ts';

/** Returns the process that uses a data directory; null if none does that is seen from here. */
export async function findHolder(dataDirectory: string): Promise<number | null> {
  const content = await readIfThere(layOut(dataDirectory).lock);
  if (content === null) return null;
  const holder = parseHolder(content);
  const isHere = holder.place !== null && holder.place === (await findPlace()).id;
  return isHere && (await processStart(holder.pid)) === holder.start ? holder.pid : null;
}
