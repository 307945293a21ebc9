import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Pool } from '../../database/database.ts';
import { toApiError } from '../../http/error-handling.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { refuseEncodings } from '../../http/request-encodings.ts';
import { IdText } from '../../http/schemas.ts';
import { setAnswerOwner } from '../../http/unsent-bytes.ts';
import type { Encryption } from '../../platform/encryption/encryption.ts';
import { ENCRYPTION_ERRORS } from '../../platform/encryption/errors.ts';
import { ApiError } from '../../platform/errors.ts';
import { TokenBuckets } from '../../platform/token-buckets.ts';
import { unavailable } from '../../platform/unavailable.ts';
import { API_KEY_ERRORS } from '../../tenancy/api-keys/errors.ts';
import {
  type AddressedHook,
  findHookByToken,
  updateHookRefusal,
} from '../../tenancy/api-keys/hooks/queries.ts';
import type { HookKind } from '../../tenancy/api-keys/hooks/schema.ts';
import { hashHookToken, openSecrets, signingKeyOf } from '../../tenancy/api-keys/hooks/secrets.ts';
import { AcceptedEvent } from '../event/schema.ts';
import { type AcceptDependencies, acceptObservation } from '../intake/accept.ts';
import { acceptDeploy } from '../intake/accept-deploy.ts';
import { hookClaimKey } from '../intake/idempotency.ts';
import type { DeliveredRequest, Delivery } from './delivery.ts';
import { HOOK_ERRORS } from './errors.ts';
import { findSignatureFault } from './find-signature-fault.ts';
import { readGithub } from './read-github.ts';
import { readStandard } from './read-standard.ts';
import { readStripe } from './read-stripe.ts';

export interface HookDependencies extends AcceptDependencies {
  pool: Pool;
  encryption: Encryption;
}

/** Rate limit of one address, in one process: senders deliver in bursts, and GitHub does not repeat what is refused. */
const PACE = { capacity: 600, refillPerSecond: 20, maxKeys: 10_000 };
const NO_SECRET_RETRY_SECONDS = 60;

const READERS: Record<HookKind, (request: DeliveredRequest) => Delivery> = {
  stripe: readStripe,
  github: readGithub,
  standard: readStandard,
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Hook of the request's address. */
    hook: AddressedHook | null;
  }
}

const Params = Type.Object({ token: IdText });
type HookRequest = FastifyRequest<{ Params: Static<typeof Params> }>;

/** Registers the address of hooks, in a scope of its own: bodies have any type, and are verified before they are read. */
export function registerHookRoutes(app: HttpApp, dependencies: HookDependencies): void {
  const { clock, pool } = dependencies;
  const pace = new TokenBuckets(clock, PACE);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  // The signature is over the bytes as sent, and nothing is decompressed for a stranger.
  refuseEncodings(app, []);
  app.decorateRequest('hook', null);
  app.setErrorHandler(async (error, { hook }) => {
    const refusal = toApiError(error);
    // For its owner, where the sender or the hook is the cause.
    if (hook && (refusal.kind.status < 500 || hook.secrets === null))
      await updateHookRefusal(pool, hook, { reason: refusal.message, at: new Date(clock.now()) });
    throw error;
  });

  app.post(
    '/hooks/:token',
    {
      schema: {
        tags: ['Hooks'],
        summary: 'Take a signed webhook',
        description:
          'Takes what Stripe, GitHub and senders by Standard Webhooks sign. Answers 202 once the event is durable; a repeat of the sender’s id gets the first answer. 503 until the hook has its secret.',
        security: [],
        params: Params,
        response: { 202: AcceptedEvent },
      },
      // Before the body is read.
      onRequest: async (request: HookRequest) => {
        const hash = hashHookToken(request.params.token);
        if (!hash) throw unknownHook();
        const retryAfterSeconds = pace.take(hash.toString('base64'));
        if (retryAfterSeconds > 0) {
          const detail = 'A hook accepts 600 requests at once, and then 20 a second.';
          throw new ApiError(HOOK_ERRORS.too_many_deliveries, detail, { retryAfterSeconds });
        }
        const hook = await findHookByToken(pool, hash);
        if (!hook) throw unknownHook();
        setAnswerOwner(request, hook.projectId);
        request.hook = hook;
        if (hook.secrets === null) {
          throw unavailable('The hook waits for its secret: set it on the project’s page.', {
            retryAfterSeconds: NO_SECRET_RETRY_SECONDS,
          });
        }
      },
    },
    async (request: HookRequest, reply) => receive(request, reply, dependencies),
  );
}

async function receive(
  { hook, headers, body: sent, raw }: HookRequest,
  reply: FastifyReply,
  dependencies: HookDependencies,
): Promise<AcceptedEvent> {
  if (!hook) throw unknownHook();
  const receivedAtMs = dependencies.clock.now();
  // The parser makes no other value.
  const body = (sent ?? Buffer.alloc(0)) as Buffer;
  const keys = readKeys(dependencies.encryption, hook);
  const fault = findSignatureFault(hook.kind, { headers, body, nowMs: receivedAtMs }, keys);
  if (fault !== null) throw new ApiError(HOOK_ERRORS.invalid_signature, fault);
  const delivery = READERS[hook.kind]({ headers, body, receivedAtMs, hookName: hook.name });
  const sender = { owner: { keyId: hook.id, projectId: hook.projectId }, connection: raw.socket };
  reply.code(202);
  try {
    if ('deploy' in delivery) return await acceptDeploy(dependencies, sender, delivery.deploy, receivedAtMs);
    const receipt = { receivedAtMs, claimKey: hookClaimKey(hook, delivery.id) };
    return await acceptObservation(dependencies, sender, delivery.observation, receipt);
  } catch (error) {
    // It was deleted after it was found.
    if (error instanceof ApiError && error.code === API_KEY_ERRORS.invalid_api_key.code) throw unknownHook();
    throw error;
  }
}

/** @throws ApiError `unavailable` if the secrets cannot be decrypted: senders repeat the request */
function readKeys(encryption: Encryption, hook: AddressedHook): Buffer[] {
  try {
    return openSecrets(encryption, hook).map((secret) => signingKeyOf(hook.kind, secret));
  } catch (cause) {
    if (cause instanceof ApiError && cause.code in ENCRYPTION_ERRORS)
      throw unavailable(cause.message, { retryAfterSeconds: NO_SECRET_RETRY_SECONDS, cause });
    throw cause;
  }
}

function unknownHook(): ApiError {
  return new ApiError('not_found', 'No hook has this address.');
}
