import { readFileSync } from 'node:fs';

/** What may come from a file, as Docker, Kubernetes and systemd hand secrets to a process. */
const SECRETS = ['DATABASE_URL', 'SESSION_SECRET'];
const MAX_FILE_CHARACTERS = 16_384;

/**
 * Replaces each `NAME_FILE` by `NAME` with the content of the file, without the white space around it.
 * @param faults gets a sentence for each file that cannot be used, never with what is in it
 */
export function readSecretFiles(
  environment: Record<string, string | undefined>,
  faults: string[],
): Record<string, string | undefined> {
  const result = { ...environment };
  for (const name of SECRETS) {
    const file = environment[`${name}_FILE`]?.trim();
    if (!file) continue;
    const content = readSecret(file);
    if (environment[name]?.trim()) faults.push(`${name} and ${name}_FILE cannot both be set.`);
    else if ('fault' in content) faults.push(`${name}_FILE names a file that ${content.fault}.`);
    else result[name] = content.text;
  }
  return result;
}

function readSecret(file: string): { text: string } | { fault: string } {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text === '') return { fault: 'is empty' };
    return text.length > MAX_FILE_CHARACTERS ? { fault: 'is too long for a secret' } : { text };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { fault: `cannot be read (${code})` };
  }
}
