import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './root.ts';

/**
 * The flags of Node that `npm start` runs the service with.
 * @param root checkout, which may be an earlier one without flags
 */
export function startFlags(root = ROOT): string[] {
  // The shape of every package.json.
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return (scripts.start ?? '').split(' ').filter((word) => word.startsWith('--'));
}
