import cookie from '@fastify/cookie';
import websocket from '@fastify/websocket';
import type { Config } from '../config.ts';
import type { Pool } from '../database/database.ts';
import { ExpensiveReads } from '../database/expensive-reads.ts';
import { createEventReader } from '../events/queries.ts';
import { registerEventRoutes } from '../events/routes.ts';
import { registerGroupCountRoutes } from '../groups/count-routes.ts';
import { registerGroupRoutes } from '../groups/routes.ts';
import { unassignMember } from '../groups/unassign-member.ts';
import { createHttpApp, type HttpApp } from '../http/app.ts';
import { closeGracefully } from '../http/close-gracefully.ts';
import { registerHealthRoutes } from '../http/health.ts';
import { listen } from '../http/listen.ts';
import { registerOpenApi } from '../http/openapi.ts';
import { registerReference, registerSecurityHeaders } from '../http/static-pages.ts';
import { warnOfUntrustedProxy } from '../http/untrusted-proxy.ts';
import { endPipelinedUpgrades } from '../http/upgrades.ts';
import { registerGroupIncidentRoute } from '../incidents/groups/group-incident-route.ts';
import { registerIncidentHistoryRoutes } from '../incidents/history-routes.ts';
import { createIncidentFinder } from '../incidents/lead/find-incident-events.ts';
import { createFactsReader } from '../incidents/lead/read-facts.ts';
import { registerIncidentRoutes } from '../incidents/routes.ts';
import { MailQueue } from '../mail/mail-queue.ts';
import { createSendMail } from '../mail/send-mail.ts';
import { registerBrowserRoutes } from '../notifications/browsers/routes.ts';
import { registerDeliveryLogRoutes } from '../notifications/log/routes.ts';
import { registerPreviewRoute } from '../notifications/preview/routes.ts';
import { ConfirmationMail } from '../notifications/recipients/confirmation-mail.ts';
import { registerRecipientRoutes } from '../notifications/recipients/routes.ts';
import { registerNotificationRouteRoutes } from '../notifications/routing/routes.ts';
import { registerSilenceRoutes } from '../notifications/silences/routes.ts';
import { countFailingTargets } from '../notifications/targets/queries.ts';
import { registerTargetRoutes } from '../notifications/targets/routes.ts';
import { TestLimits } from '../notifications/targets/test-limits.ts';
import { ApiError } from '../platform/errors.ts';
import { Hub } from '../realtime/hub.ts';
import { registerWebSocketRoute } from '../realtime/routes.ts';
import { registerReleaseRoutes } from '../releases/routes.ts';
import { CurrentReader } from '../risk/current/current-reader.ts';
import { recountLedBy } from '../risk/incidents/recount.ts';
import { registerRiskRoutes } from '../risk/routes.ts';
import { registerScheduleRoutes } from '../schedules/routes.ts';
import { continueScheduleIncident } from '../schedules/schedule-incident.ts';
import { DeviceCookie } from '../tenancy/accounts/device-cookie.ts';
import { isCrossOrigin } from '../tenancy/accounts/own-origin.ts';
import { createPasswordPolicy } from '../tenancy/accounts/password-policy.ts';
import { PasswordHasher } from '../tenancy/accounts/passwords.ts';
import {
  type AccountDependencies,
  registerAccountRoutes,
  registerPublicAccountRoutes,
} from '../tenancy/accounts/routes.ts';
import { registerSessionRoutes } from '../tenancy/accounts/session-routes.ts';
import { findOrCreateSessionSecret } from '../tenancy/accounts/session-secret-queries.ts';
import { authenticate, type SessionDependencies } from '../tenancy/accounts/sessions.ts';
import { TokenSigner } from '../tenancy/accounts/tokens.ts';
import { registerTotpRoutes } from '../tenancy/accounts/totp-routes.ts';
import { issueApiKey } from '../tenancy/api-keys/create-api-key.ts';
import { API_KEY_ERRORS } from '../tenancy/api-keys/errors.ts';
import { hashApiKey, isWellFormedApiKey } from '../tenancy/api-keys/key-format.ts';
import { findKeyOwners } from '../tenancy/api-keys/queries.ts';
import { registerApiKeyRoutes } from '../tenancy/api-keys/routes.ts';
import { InvitationMail } from '../tenancy/invitations/invitation-mail.ts';
import { registerInvitationRoutes, registerPublicInvitationRoutes } from '../tenancy/invitations/routes.ts';
import { registerNoticeRoutes } from '../tenancy/organizations/notice-routes.ts';
import { registerOrganizationRoutes } from '../tenancy/organizations/routes.ts';
import { registerProjectRoutes } from '../tenancy/projects/routes.ts';
import { RecoveryMail } from '../tenancy/recovery/recovery-mail.ts';
import { registerPublicRecoveryRoutes, registerRecoveryRoutes } from '../tenancy/recovery/routes.ts';
import { authenticateToken } from '../tenancy/tokens/authenticate-token.ts';
import { registerTokenRoutes } from '../tenancy/tokens/routes.ts';
import { declareScopes, requireScope } from '../tenancy/tokens/scopes.ts';
import { registerDashboard } from './dashboard-files.ts';
import { createNotificationParts } from './notification-parts.ts';
import type { Role, RoleContext } from './role.ts';
import { ingestAddress, isSignUpPublic, registerServiceRoute, type ServiceConfig } from './service.ts';

/** The longest body is a note of 10,000 characters. */
const BODY_LIMIT = 64 * 1024;
/** Below `/auth/` and the like, where unauthenticated clients send bodies. */
const AUTH_BODY_LIMIT = 8 * 1024;
const REQUEST_TIMEOUT_MS = 20_000;
const MAX_WEBSOCKET_MESSAGE_BYTES = 4 * 1024;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Separate connections, so that short queries never wait behind long ones. */
export interface ManagementPools {
  pool: Pool;
  /** For the lookup of each request's session. */
  sessionPool: Pool;
  /** For reads that scan many rows. */
  readPool: Pool;
}

/** The management API, the dashboard and the WebSocket. */
export async function buildManagement(
  context: RoleContext,
  config: ServiceConfig &
    Pick<Config, 'trustProxy' | 'metricsPort' | 'sessionSecret' | 'mail' | 'passwordCheck'>,
  { pool, sessionPool, readPool }: ManagementPools,
): Promise<{ app: HttpApp; hub: Hub }> {
  const { clock, log, metrics } = context;
  const { publicUrl } = config;
  const app = await createHttpApp({
    service: 'management',
    log,
    metrics,
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    decompressRequests: false,
    registerFirst: (first) => registerSecurityHeaders(first, publicUrl),
    compressResponses: true,
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
  await registerDashboard(app);
  await registerReference(app);

  const secret = config.sessionSecret ?? (await findOrCreateSessionSecret(pool));
  const dependencies: AccountDependencies = {
    pool,
    clock,
    tokens: new TokenSigner(secret),
    devices: new DeviceCookie(secret),
    passwords: new PasswordHasher(context.passwordCost),
    assertNewPassword: createPasswordPolicy(config.passwordCheck),
    encryption: context.encryption,
    publicUrl,
    signUpMode: config.signUpMode,
    sendsMail: config.mail !== null && publicUrl !== null,
    log,
    metrics,
  };
  const { recoveryMail, invitationMail, confirmationMail } = createAccountMail(context, config, pool);
  const reads = new ExpensiveReads(readPool, sessionPool);
  const guards = { ...dependencies, pool: sessionPool };
  const { read: readCurrent } = new CurrentReader({ reads, clock, log });
  const hub = new Hub({ ...context, pool, readCurrent });
  app.decorateRequest('session', null);
  await app.register(async (instance) => {
    const scope = instance as HttpApp;
    installGuards(scope, guards, { needsSession: false });
    registerPublicAccountRoutes(scope, dependencies);
    registerPublicInvitationRoutes(scope, dependencies);
    registerPublicRecoveryRoutes(scope, { ...dependencies, recoveryMail });
    registerRecipientRoutes(scope, dependencies);
  });
  await app.register(async (instance) => {
    const scope = instance as HttpApp;
    installGuards(scope, guards, { needsSession: true });
    registerAccountRoutes(scope, dependencies);
    registerSessionRoutes(scope, dependencies);
    registerTotpRoutes(scope, dependencies);
    registerTokenRoutes(scope, dependencies);
    const memberLeft = (organizationId: string, userId: string) =>
      unassignMember(dependencies, organizationId, userId);
    registerOrganizationRoutes(scope, { ...dependencies, memberLeft });
    registerNoticeRoutes(scope, dependencies);
    registerInvitationRoutes(scope, { ...dependencies, invitationMail });
    registerRecoveryRoutes(scope, { ...dependencies, recoveryMail });
    registerProjectRoutes(scope, { ...dependencies, createDefaultKey: issueApiKey });
    registerApiKeyRoutes(scope, dependencies);
    const events = createEventReader(pool, reads, createIncidentFinder(pool));
    registerEventRoutes(scope, { events, clock, publicUrl });
    registerGroupCountRoutes(scope, { pool, clock, reads });
    registerGroupRoutes(scope, { pool, clock, publicUrl, reads, recountIncidents: recountLedBy });
    registerReleaseRoutes(scope, dependencies);
    const continueSchedule = continueScheduleIncident;
    const readFacts = createFactsReader({ reads, log });
    registerIncidentRoutes(scope, { ...dependencies, metrics, readCurrent, readFacts, continueSchedule });
    registerIncidentHistoryRoutes(scope, { ...dependencies, reads, events });
    registerGroupIncidentRoute(scope, { pool, reads });
    registerRiskRoutes(scope, { ...dependencies, reads });
    const ingestUrlOf = (managementUrl: string) => ingestAddress(config, managementUrl);
    registerScheduleRoutes(scope, { ...dependencies, ingestUrlOf });
    const testLimits = new TestLimits(clock);
    const notifications = { ...dependencies, ...createNotificationParts(context, pool) };
    registerTargetRoutes(scope, { ...notifications, testLimits, confirmationMail });
    registerBrowserRoutes(scope, { ...notifications, testLimits });
    registerNotificationRouteRoutes(scope, dependencies);
    registerSilenceRoutes(scope, dependencies);
    registerPreviewRoute(scope, { ...dependencies, reads });
    registerDeliveryLogRoutes(scope, dependencies);
    registerServiceRoute(scope, pool, config);
    registerWebSocketRoute(scope, { hub, publicUrl });
  });
  return { app, hub };
}

/** Null where the service sends no mail with links: without a mail server, or without an address for links. */
function createAccountMail(
  { clock, log }: RoleContext,
  { mail, publicUrl }: Pick<Config, 'mail' | 'publicUrl'>,
  pool: Pool,
): {
  recoveryMail: RecoveryMail | null;
  invitationMail: InvitationMail | null;
  confirmationMail: ConfirmationMail | null;
} {
  if (mail && publicUrl) {
    const dependencies = { clock, publicUrl, sendMail: createSendMail(mail) };
    // A queue of its own each: invitations do not delay passwords.
    return {
      recoveryMail: new RecoveryMail({ ...dependencies, queue: new MailQueue(log), pool, log }),
      invitationMail: new InvitationMail({ ...dependencies, queue: new MailQueue(log) }),
      confirmationMail: new ConfirmationMail({ ...dependencies, queue: new MailQueue(log), pool }),
    };
  }
  if (mail) log.warn('SMTP_URL is set, but PUBLIC_URL is not: no mail with a link is sent');
  return { recoveryMail: null, invitationMail: null, confirmationMail: null };
}

/** The checks in the order of the contract: the API key if one is sent, the token if one is sent, the session, the origin. */
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
      throw new ApiError('cross_origin', 'Changes are taken from the service’s own pages only.');
    }
    if (request.session) {
      requireScope(request.session, request.routeOptions.config.scopes);
      const { organizationId } = request.session;
      scope.unsentBytes.assertRoom(organizationId);
      request.answerOwner = organizationId;
    }
  });
}

/** A key grants nothing here, but an invalid one is refused on every route. */
async function assertValidKey(pool: Pool, key: string): Promise<void> {
  const hash = hashApiKey(key);
  const owners = isWellFormedApiKey(key) ? await findKeyOwners(pool, [hash]) : new Map<string, unknown>();
  if (!owners.has(hash.toString('hex')))
    throw new ApiError(API_KEY_ERRORS.invalid_api_key, 'The API key is not valid.');
}

export async function startManagement(context: RoleContext): Promise<Role> {
  const { config, log } = context;
  const pools = createPools(context);
  const { app, hub } = await buildManagement(context, config, pools);
  if (isSignUpPublic(config)) {
    log.warn(
      { publicUrl: config.publicUrl?.origin },
      'anyone can sign up at the public address; SIGNUP=invited lets in users with an invitation only',
    );
  }
  const port = await listen(app, { host: config.host, port: config.port, portVariable: 'PORT' });
  await hub.start();

  let closed: Promise<unknown> = Promise.resolve();
  return {
    name: 'management',
    port,
    // Resolves when the last connection is gone, WebSockets included: waiting for it comes after closing those.
    stopAccepting: async () => {
      closed = closeGracefully(app);
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

/** Splits the connections that the role may open, but three at least. */
function createPools({ createPool, config }: RoleContext): ManagementPools {
  const size = config.databasePoolSize;
  const sessions = size < 8 ? 1 : 2;
  const reads = Math.min(4, Math.max(1, Math.floor(size * 0.4)));
  return {
    pool: createPool('tocsin-management', { maxConnections: Math.max(1, size - sessions - reads) }),
    sessionPool: createPool('tocsin-sessions', { maxConnections: sessions, statementTimeoutMs: 5_000 }),
    readPool: createPool('tocsin-reads', { maxConnections: reads, statementTimeoutMs: 5_000 }),
  };
}
