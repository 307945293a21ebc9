import { readFileSync } from 'node:fs';

/** Variables that may come from a file, as Docker, Kubernetes and systemd pass secrets to a process. */
const SECRETS = ['DATABASE_URL', 'SESSION_SECRET', 'ENCRYPTION_KEY', 'SMTP_URL', 'ARCHIVE_URL'];
const MAX_FILE_CHARACTERS = 16_384;

/**
 * Replaces each `NAME_FILE` by `NAME` with the content of the file, without the white space around it.
 * @param problems receives a sentence for each file that cannot be used, never its content
 */
export function readSecretFiles(
  environment: Record<string, string | undefined>,
  problems: string[],
): Record<string, string | undefined> {
  const result = { ...environment };
  for (const name of SECRETS) {
    const file = environment[`${name}_FILE`]?.trim();
    if (!file) continue;
    const content = readSecret(file);
    if (environment[name]?.trim()) problems.push(`${name} and ${name}_FILE cannot both be set.`);
    else if ('problem' in content) problems.push(`${name}_FILE names a file that ${content.problem}.`);
    else result[name] = content.text;
  }
  return result;
}

function readSecret(file: string): { text: string } | { problem: string } {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text === '') return { problem: 'is empty' };
    return text.length > MAX_FILE_CHARACTERS ? { problem: 'is too long for a secret' } : { text };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { problem: `cannot be read (${code})` };
  }
}
