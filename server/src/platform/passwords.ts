import { hash, verify } from '@node-rs/argon2';
import { ApiError } from './errors.ts';

/** argon2id with 19 MiB, two passes, one lane: OWASP's password storage cheat sheet, first choice. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each hash takes 19 MiB and tens of milliseconds: past this many that wait, the answer is 503. */
const MAX_UNDER_WAY = 64;
let underWay = 0;

export function hashPassword(password: string): Promise<string> {
  return bounded(() => hash(password, PARAMETERS));
}

/**
 * Whether the password belongs to the hash. For an account that does not exist pass null: the check then
 * takes the same time and is false.
 */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await bounded(async () => verify(passwordHash ?? (await getDecoyHash()), password));
  return matches && passwordHash !== null;
}

let decoyHash: Promise<string> | null = null;

function getDecoyHash(): Promise<string> {
  decoyHash ??= hash('the password of nobody', PARAMETERS);
  return decoyHash;
}

async function bounded<T>(work: () => Promise<T>): Promise<T> {
  if (underWay >= MAX_UNDER_WAY) {
    throw new ApiError('unavailable', 'Too many passwords are being checked.', { retryAfterSeconds: 1 });
  }
  underWay++;
  try {
    return await work();
  } finally {
    underWay--;
  }
}
