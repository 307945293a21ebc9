import type { FastifyRequest } from 'fastify';
import type { HttpApp } from '../../http/http-app.ts';
import { setAnswerOwner } from '../../http/unsent-bytes.ts';
import { ApiError } from '../../platform/errors.ts';
import { API_KEY_ERRORS } from '../../tenancy/api-keys/errors.ts';
import type { KeyOwner } from '../../tenancy/api-keys/queries.ts';
import type { KeyLookup } from './key-lookup.ts';

/** Maximum remembered keys; emptied when full, which costs one query a key. */
const MAX_KNOWN_KEYS = 10_000;

const INVALID_KEY = 'The API key is not valid.';
const BROWSER_KEY = 'The API key is for browsers: it takes what Sentry’s clients send, and nothing else.';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route takes the key in `Authorization` as well: as bearer token, or as password. */
    takesAuthorization?: true;
  }
  interface FastifyRequest {
    /** Owner of the request's key; set by the hook of the routes that need one. */
    keyOwner: KeyOwner | null;
    /** True if the database was asked, since the request began, if the key is valid. */
    keyIsChecked: boolean;
  }
}

/**
 * The owner of a key never changes; only its validity does. So owners are remembered, and the validity is asked of
 * the database for every request: together with the commit if there is one, else (for everything that ends without a
 * commit, errors included) before the answer.
 *
 * Guarantee: a request that begins after a revocation was committed is answered 401, in every process.
 */
export class KeyAuthentication {
  readonly #keys: KeyLookup;
  readonly #takesBrowserKeys: boolean;
  readonly #owners = new Map<string, KeyOwner>();

  /** @param takesBrowserKeys true where keys that stand in pages are valid as well */
  constructor(keys: KeyLookup, takesBrowserKeys = false) {
    this.#keys = keys;
    this.#takesBrowserKeys = takesBrowserKeys;
  }

  /** Owner of a key that was looked up before. The commit asks if the key is still valid. */
  knownOwner(header: string | string[] | undefined): KeyOwner | null {
    return this.#owners.get(String(header)) ?? null;
  }

  install(scope: HttpApp): void {
    scope.decorateRequest('keyOwner', null);
    scope.decorateRequest('keyIsChecked', false);
    scope.addHook('onRequest', (request, _reply, done) => {
      request.keyOwner = this.knownOwner(keyOf(request));
      if (request.keyOwner) return done();
      void this.#requireThen(request, done);
    });
    scope.addHook('onRequest', (request, _reply, done) => {
      setAnswerOwner(request, keyOwnerOf(request).projectId);
      done();
    });
    // 401 comes first: before a request is refused for any other reason, its key is checked.
    scope.setErrorHandler(async (error, request) => {
      await this.requireValidKey(request);
      throw error;
    });
  }

  /**
   * Checks the key in the database, unless that was done for this request already. For answers without a commit.
   * @throws ApiError `invalid_api_key`
   */
  async requireValidKey(request: FastifyRequest): Promise<void> {
    if (request.keyIsChecked) return;
    const header = keyOf(request);
    const owner = await this.#find(header);
    request.keyIsChecked = true;
    request.keyOwner = this.#remember(header, owner);
  }

  /**
   * As `requireValidKey`, for a request that did not come through the framework.
   * @throws ApiError `invalid_api_key`
   */
  async requireOwner(header: string | string[] | undefined): Promise<KeyOwner> {
    return this.#remember(header, await this.#find(header));
  }

  async #find(header: string | string[] | undefined): Promise<KeyOwner | null> {
    return typeof header === 'string' ? this.#keys.find(header) : null;
  }

  #remember(header: string | string[] | undefined, owner: KeyOwner | null): KeyOwner {
    if (!owner) throw this.#refuse(header);
    if (owner.browser && !this.#takesBrowserKeys) throw this.#refuse(header, BROWSER_KEY);
    if (this.#owners.size >= MAX_KNOWN_KEYS) this.#owners.clear();
    this.#owners.set(String(header), owner);
    return owner;
  }

  async #requireThen(request: FastifyRequest, done: (error?: Error) => void): Promise<void> {
    try {
      await this.requireValidKey(request);
    } catch (error) {
      done(error as Error);
      return;
    }
    done();
  }

  #refuse(header: string | string[] | undefined, detail = INVALID_KEY): ApiError {
    this.#owners.delete(String(header));
    if (header === undefined) detail = 'Send the project’s API key in X-Api-Key.';
    return new ApiError(API_KEY_ERRORS.invalid_api_key, detail);
  }
}

/** The key of a request, as sent. */
function keyOf({ headers, routeOptions }: FastifyRequest): string | string[] | undefined {
  const key = headers['x-api-key'];
  return key === undefined && routeOptions.config.takesAuthorization
    ? readAuthorization(headers.authorization)
    : key;
}

/** Returns the token of `Bearer`, or the password of `Basic`. */
export function readAuthorization(header = ''): string | undefined {
  const [, scheme = '', value] = /^(bearer|basic) +(\S+) *$/i.exec(header) ?? [];
  if (value === undefined || scheme.toLowerCase() === 'bearer') return value;
  return Buffer.from(value, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
}

/** Owner of the key, within a route that needs one. */
export function keyOwnerOf(request: FastifyRequest): KeyOwner {
  if (request.keyOwner) return request.keyOwner;
  throw new Error(`${request.method} ${request.url} reads a key without asking for one.`);
}
