import type { Pool } from '../database/database.ts';
import type { Encryption } from '../platform/encryption/encryption.ts';
import type { Log } from '../platform/log.ts';
import type { LoopDeclaration } from '../platform/loop.ts';
import { encryptAgain } from './encrypt-again.ts';

/** Keys change at a start alone; until all processes have the new one, others continue with the former. */
const IDLE_MS = 120_000;

export function declareEncryptionLoop(pool: Pool, encryption: Encryption, log: Log): LoopDeclaration {
  return {
    name: 'encrypting again',
    round: async () => {
      if (!encryption.hasFormerKeys) return 'idle';
      const { renewed, unreadable } = await encryptAgain(pool, encryption);
      if (renewed > 0) log.info({ renewed }, 'stored secrets were encrypted with the first key');
      if (unreadable > 0) log.warn({ unreadable }, 'stored secrets cannot be read with any key');
      return 'idle';
    },
    idleDelayMs: IDLE_MS,
  };
}
