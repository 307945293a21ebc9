import cookie from '@fastify/cookie';
import websocket from '@fastify/websocket';
import type { Config } from '../config.ts';
import type { Pool } from '../database/database.ts';
import { createHttpApp } from '../http/app.ts';
import { closeGracefully } from '../http/close-gracefully.ts';
import { registerHealthRoutes } from '../http/health.ts';
import type { HttpApp } from '../http/http-app.ts';
import { listen } from '../http/listen.ts';
import { registerOpenApi } from '../http/openapi.ts';
import { registerRoutes } from '../http/route.ts';
import { registerReference, registerSecurityHeaders } from '../http/static-pages.ts';
import { setAnswerOwner } from '../http/unsent-bytes.ts';
import { warnOfUntrustedProxy } from '../http/untrusted-proxy.ts';
import { endPipelinedUpgrades } from '../http/upgrades.ts';
import { countFailingTargets } from '../notifications/targets/queries.ts';
import { ApiError } from '../platform/errors.ts';
import { Hub } from '../realtime/hub.ts';
import { registerWebSocketRoute } from '../realtime/routes.ts';
import { isCrossOrigin } from '../tenancy/accounts/own-origin.ts';
import { authenticate, type SessionDependencies } from '../tenancy/accounts/sessions.ts';
import { API_KEY_ERRORS } from '../tenancy/api-keys/errors.ts';
import { hashApiKey, isWellFormedApiKey } from '../tenancy/api-keys/key-format.ts';
import { findKeyOwners } from '../tenancy/api-keys/queries.ts';
import { requireScope } from '../tenancy/require-scope.ts';
import { authenticateToken } from '../tenancy/tokens/authenticate-token.ts';
import { declareScopes } from '../tenancy/tokens/scopes.ts';
import { registerDashboard } from './dashboard-files.ts';
import { INGESTION_TIMEOUT_MS } from './ingestion-app.ts';
import {
  createDependencies,
  type ManagementConfig,
  type ManagementPools,
  RESOURCES,
  registerPublicResources,
} from './management-resources.ts';
import type { Role, RoleContext } from './role.ts';
import { registerSdkTarball } from './sdk-tarball.ts';
import { isSignUpPublic, registerServiceRoute } from './service.ts';
import { passOnTo } from './single-port.ts';

/** The longest body is a note of 10,000 characters. */
const BODY_LIMIT = 64 * 1024;
/** Limit below `/auth/` and the like, where unauthenticated clients send bodies. */
const AUTH_BODY_LIMIT = 8 * 1024;
const REQUEST_TIMEOUT_MS = 20_000;
const MAX_WEBSOCKET_MESSAGE_BYTES = 4 * 1024;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The management API, the dashboard and the WebSocket. */
export async function buildManagement(
  context: RoleContext,
  config: ManagementConfig & Pick<Config, 'trustProxy' | 'metricsPort'>,
  pools: ManagementPools,
  ingestion: HttpApp | null = null,
): Promise<{ app: HttpApp; hub: Hub }> {
  const { log, metrics } = context;
  const { publicUrl } = config;
  const { pool, sessionPool } = pools;
  const app = await createHttpApp({
    service: 'management',
    log,
    metrics,
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeoutMs: ingestion ? INGESTION_TIMEOUT_MS : REQUEST_TIMEOUT_MS,
    decompressRequests: false,
    registerFirst: (first) => registerSecurityHeaders(first, publicUrl),
    compressResponses: true,
    ...(ingestion && { passOn: passOnTo(ingestion) }),
  });
  await registerOpenApi(app, {
    title: 'Tocsin management API',
    description:
      'Accounts, organizations, projects, keys, events and incidents, for the user who is logged in or has made the access token.',
    scheme: 'session',
  });
  app.addHook('onRoute', (route) => {
    if (/^\/(?:auth|invitations|notification-recipients)\//.test(route.url))
      route.bodyLimit = AUTH_BODY_LIMIT;
  });
  await app.register(cookie);
  endPipelinedUpgrades(app.server);
  // Clients are closed by the hub, in the order of the shutdown.
  await app.register(websocket, {
    options: { maxPayload: MAX_WEBSOCKET_MESSAGE_BYTES, perMessageDeflate: false },
    preClose: (done) => done(),
  });
  warnOfUntrustedProxy(app, log, config.trustProxy);
  registerHealthRoutes(app, pool, metrics, {
    findObstacle: context.databaseState.findOutage,
    countFailingTargets,
    servesMetrics: config.metricsPort === null,
  });
  const dependencies = await createDependencies(context, config, pools);
  await registerDashboard(app, dependencies.ingestUrlOf);
  await registerReference(app, { hasStart: true });
  registerSdkTarball(app);

  app.addHook('onClose', () => dependencies.frameMapper.stop());
  app.addHook('onClose', () => dependencies.closeArchive());
  const guards = { ...dependencies, pool: sessionPool };
  const hub = new Hub({
    ...context,
    pool,
    readCurrent: dependencies.readCurrent,
    unsentBytes: app.unsentBytes,
  });
  app.decorateRequest('session', null);
  await app.register(async (instance) => {
    const scope = instance as HttpApp;
    installGuards(scope, guards, { needsSession: false });
    registerPublicResources(scope, dependencies);
  });
  await app.register(async (instance) => {
    const scope = instance as HttpApp;
    installGuards(scope, guards, { needsSession: true });
    registerRoutes(scope, RESOURCES, dependencies);
    registerServiceRoute(scope, pool, config);
    registerWebSocketRoute(scope, { hub, publicUrl });
  });
  return { app, hub };
}

/**
 * Installs the checks in the order of the contract: the API key if one is sent, the token if one is sent, the
 * session, the origin.
 */
function installGuards(
  scope: HttpApp,
  dependencies: SessionDependencies,
  { needsSession }: { needsSession: boolean },
) {
  if (needsSession) scope.addHook('onRoute', declareScopes);
  scope.addHook('onRequest', async (request) => {
    const key = request.headers['x-api-key'];
    if (key !== undefined) await assertValidKey(dependencies.pool, String(key));
    if (needsSession) {
      const byToken = await authenticateToken(dependencies, request);
      request.session = byToken ?? (await authenticate(dependencies, request));
    }
    if (!SAFE_METHODS.has(request.method) && isCrossOrigin(request, dependencies.publicUrl)) {
      throw new ApiError('cross_origin', 'Changes are accepted from the service’s own pages only.');
    }
    if (request.session) {
      requireScope(request.session, request.routeOptions.config.scopes);
      setAnswerOwner(request, request.session.organizationId);
    }
  });
}

/** Refuses an invalid API key on every route, although a valid one grants nothing here. */
async function assertValidKey(pool: Pool, key: string): Promise<void> {
  const hash = hashApiKey(key);
  const owners = isWellFormedApiKey(key) ? await findKeyOwners(pool, [hash]) : new Map<string, unknown>();
  if (!owners.has(hash.toString('hex')))
    throw new ApiError(API_KEY_ERRORS.invalid_api_key, 'The API key is not valid.');
}

/** @param ingestion application whose addresses this port takes as well; null: none */
export async function startManagement(context: RoleContext, ingestion: HttpApp | null): Promise<Role> {
  const { config, log, sockets } = context;
  const pools = createPools(context);
  const { app, hub } = await buildManagement(context, config, pools, ingestion);
  if (isSignUpPublic(config)) {
    log.warn(
      { publicUrl: config.publicUrl?.origin },
      'anyone can sign up at the public address; SIGNUP=invited lets in users with an invitation only',
    );
  }
  const port = await listen(app, { host: config.host, port: config.port, portVariable: 'PORT', sockets });
  await hub.start();

  let closed: Promise<unknown> = Promise.resolve();
  return {
    name: 'management',
    port,
    // Resolves when the last connection is gone, WebSockets included: waiting for it comes after closing those.
    stopAccepting: async (idleMs) => {
      closed = closeGracefully(app, idleMs);
    },
    closeSockets: async () => {
      await hub.stop();
      await closed;
    },
    endPool: async () => {
      await Promise.all(Object.values(pools).map((pool: Pool) => pool.end()));
    },
  };
}

/** Splits the connections that the role may open, with four at least; one is left to the thread of uploads. */
function createPools({ createPool, config }: RoleContext): ManagementPools {
  const size = config.databasePoolSize;
  const sessions = size < 8 ? 1 : 2;
  const reads = Math.min(4, Math.max(1, Math.floor(size * 0.4)));
  return {
    pool: createPool('tocsin-management', { maxConnections: Math.max(1, size - sessions - reads - 1) }),
    sessionPool: createPool('tocsin-sessions', { maxConnections: sessions, statementTimeoutMs: 5_000 }),
    readPool: createPool('tocsin-reads', { maxConnections: reads, statementTimeoutMs: 5_000 }),
  };
}
