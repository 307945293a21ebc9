import type { Config } from '../config.ts';
import type { Pool } from '../database/database.ts';
import { ExpensiveReads } from '../database/expensive-reads.ts';
import { environmentRoutes } from '../environments/routes.ts';
import { erasureRoutes } from '../erasures/routes.ts';
import { eventRoutes } from '../events/api/routes.ts';
import { readThroughArchive } from '../events/archive/read-through-archive.ts';
import { createEventReader } from '../events/read/queries.ts';
import { scrubPreviewRoutes } from '../events/scrub-preview/routes.ts';
import { groupCountRoutes } from '../groups/api/count-routes.ts';
import { groupRoutes } from '../groups/api/routes.ts';
import { comparisonRoutes } from '../groups/comparison/routes.ts';
import { unassignMember } from '../groups/unassign-member.ts';
import type { HttpApp } from '../http/http-app.ts';
import { registerRoutes } from '../http/route.ts';
import { incidentHistoryRoutes } from '../incidents/api/history-routes.ts';
import { incidentRoutes } from '../incidents/api/routes.ts';
import { createIncidentFinder } from '../incidents/find-incident-events.ts';
import { groupIncidentRoutes } from '../incidents/groups/group-incident-route.ts';
import { createFactsReader } from '../incidents/groups/read-facts.ts';
import { MailQueue } from '../mail/mail-queue.ts';
import { createSendMail } from '../mail/send-mail.ts';
import { browserRoutes } from '../notifications/browsers/routes.ts';
import { deliveryLogRoutes } from '../notifications/log/routes.ts';
import { previewRoutes } from '../notifications/preview/routes.ts';
import { ConfirmationMail } from '../notifications/recipients/confirmation-mail.ts';
import { recipientRoutes } from '../notifications/recipients/routes.ts';
import { notificationRouteRoutes } from '../notifications/routing/routes.ts';
import { silenceRoutes } from '../notifications/silences/routes.ts';
import { targetRoutes } from '../notifications/targets/routes.ts';
import { TestLimits } from '../notifications/targets/test-limits.ts';
import { KeyedQueue } from '../platform/keyed-queue.ts';
import { deadLetterRoutes } from '../processing/dead-letters/routes.ts';
import { commandLineRoutes } from '../releases/command-line-routes.ts';
import { releaseRoutes } from '../releases/routes.ts';
import { requestRoutes } from '../requests/routes.ts';
import { CurrentReader } from '../risk/current/current-reader.ts';
import { recountLedBy } from '../risk/incidents/recount.ts';
import { PREVIEW_QUEUE, riskRoutes } from '../risk/routes.ts';
import { scheduleRoutes } from '../schedules/routes.ts';
import { continueScheduleIncident } from '../schedules/schedule-incident.ts';
import { FrameMapper } from '../source-maps/frames/frame-mapper.ts';
import { uploadRoutes } from '../source-maps/upload/routes.ts';
import { UploadThread } from '../source-maps/upload/upload-thread.ts';
import { DeviceCookie } from '../tenancy/accounts/device-cookie.ts';
import { createPasswordPolicy } from '../tenancy/accounts/password-policy.ts';
import { PasswordHasher } from '../tenancy/accounts/passwords.ts';
import { accountRoutes, createSignUpLimit, publicAccountRoutes } from '../tenancy/accounts/routes.ts';
import { sessionRoutes } from '../tenancy/accounts/session-routes.ts';
import { findOrCreateSessionSecret } from '../tenancy/accounts/session-secret-queries.ts';
import { TokenSigner } from '../tenancy/accounts/tokens.ts';
import { totpRoutes } from '../tenancy/accounts/totp-routes.ts';
import { createRequestLimit } from '../tenancy/address-limit.ts';
import { issueApiKey } from '../tenancy/api-keys/create-api-key.ts';
import { hookRoutes } from '../tenancy/api-keys/hooks/routes.ts';
import { apiKeyRoutes } from '../tenancy/api-keys/routes.ts';
import { InvitationMail } from '../tenancy/invitations/invitation-mail.ts';
import { invitationRoutes, publicInvitationRoutes } from '../tenancy/invitations/routes.ts';
import { noticeRoutes } from '../tenancy/organizations/notice-routes.ts';
import { organizationRoutes } from '../tenancy/organizations/routes.ts';
import { projectRoutes } from '../tenancy/projects/routes.ts';
import { quotaRoutes } from '../tenancy/quotas/routes.ts';
import { EmailChangeMail } from '../tenancy/recovery/email-change-mail.ts';
import { emailRoutes, publicEmailRoutes } from '../tenancy/recovery/email-routes.ts';
import { RecoveryMail } from '../tenancy/recovery/recovery-mail.ts';
import { publicRecoveryRoutes, recoveryRoutes } from '../tenancy/recovery/routes.ts';
import { tokenRoutes } from '../tenancy/tokens/routes.ts';
import { createNotificationParts } from './notification-parts.ts';
import type { RoleContext } from './role.ts';
import { ingestAddress, type ServiceConfig } from './service.ts';

export type ManagementConfig = ServiceConfig &
  Pick<Config, 'sessionSecret' | 'mail' | 'passwordCheck' | 'archive'>;

/** Separate connections, so that short queries never wait behind long ones. */
export interface ManagementPools {
  pool: Pool;
  /** Pool for the look-up of each request's session. */
  sessionPool: Pool;
  /** Pool for reads that scan many rows. */
  readPool: Pool;
}

/** Endpoints for users who are logged in, and for their tokens. */
export const RESOURCES = [
  ...accountRoutes,
  ...sessionRoutes,
  ...totpRoutes,
  ...tokenRoutes,
  ...organizationRoutes,
  ...noticeRoutes,
  ...invitationRoutes,
  ...recoveryRoutes,
  ...emailRoutes,
  ...projectRoutes,
  ...requestRoutes,
  ...environmentRoutes,
  ...erasureRoutes,
  ...apiKeyRoutes,
  ...quotaRoutes,
  ...hookRoutes,
  ...deadLetterRoutes,
  ...eventRoutes,
  ...scrubPreviewRoutes,
  ...groupCountRoutes,
  ...groupRoutes,
  ...releaseRoutes,
  ...comparisonRoutes,
  ...commandLineRoutes,
  ...uploadRoutes,
  ...incidentRoutes,
  ...incidentHistoryRoutes,
  ...groupIncidentRoutes,
  ...riskRoutes,
  ...scheduleRoutes,
  ...targetRoutes,
  ...browserRoutes,
  ...notificationRouteRoutes,
  ...silenceRoutes,
  ...previewRoutes,
  ...deliveryLogRoutes,
];

type Dependencies = Awaited<ReturnType<typeof createDependencies>>;

/** Endpoints without a session. Each group has limits of its own. */
export function registerPublicResources(scope: HttpApp, dependencies: Dependencies): void {
  const { clock } = dependencies;
  const limitSignUps = createSignUpLimit(clock);
  registerRoutes(scope, publicAccountRoutes, { ...dependencies, limitSignUps });
  registerRoutes(scope, publicInvitationRoutes, { ...dependencies, limit: createRequestLimit(clock) });
  registerRoutes(scope, publicEmailRoutes, { ...dependencies, limit: createRequestLimit(clock) });
  registerRoutes(scope, publicRecoveryRoutes, { ...dependencies, limit: createRequestLimit(clock) });
  registerRoutes(scope, recipientRoutes, { ...dependencies, limit: createRequestLimit(clock) });
}

/** Creates the dependencies of all endpoints of the management API. */
export async function createDependencies(
  context: RoleContext,
  config: ManagementConfig,
  { pool, sessionPool, readPool }: ManagementPools,
) {
  const { clock, encryption, log, metrics, waitFactor } = context;
  const { publicUrl, retentionDays, signUpMode } = config;
  const secret = config.sessionSecret ?? (await findOrCreateSessionSecret(pool));
  const store = { pool, clock };
  const reads = new ExpensiveReads(readPool, sessionPool);
  const newest = createEventReader(pool, reads, createIncidentFinder(pool));
  const { events, closeArchive } = await readThroughArchive({ ...store, reads, newest }, config.archive);
  return {
    ...store,
    uploadThread: new UploadThread(context.connection),
    ...createNotificationParts(context, pool),
    ...createAccountMail(context, config, pool),
    log,
    metrics,
    encryption,
    publicUrl,
    retentionDays,
    signUpMode,
    sendsMail: config.mail !== null && publicUrl !== null,
    tokens: new TokenSigner(secret),
    devices: new DeviceCookie(secret),
    passwords: new PasswordHasher(context.passwordCost),
    assertNewPassword: createPasswordPolicy(config.passwordCheck),
    memberLeft: (organizationId: string, userId: string) => unassignMember(store, organizationId, userId),
    createDefaultKey: issueApiKey,
    reads,
    recountIncidents: recountLedBy,
    events,
    closeArchive,
    frameMapper: new FrameMapper({ ...store, log, waitFactor }),
    readCurrent: new CurrentReader({ reads, clock, log, waitFactor }).read,
    readFacts: createFactsReader({ reads, events, log, waitFactor }),
    continueSchedule: continueScheduleIncident,
    previews: new KeyedQueue(PREVIEW_QUEUE),
    ingestUrlOf: ({ protocol, host }: { protocol: string; host: string }) =>
      ingestAddress(config, `${protocol}://${host}`),
    testLimits: new TestLimits(clock),
  };
}

/** Returns null if the service sends no mail with links: without a mail server, or without an address for links. */
function createAccountMail(
  { clock, log }: RoleContext,
  { mail, publicUrl }: Pick<Config, 'mail' | 'publicUrl'>,
  pool: Pool,
): {
  recoveryMail: RecoveryMail | null;
  emailChangeMail: EmailChangeMail | null;
  invitationMail: InvitationMail | null;
  confirmationMail: ConfirmationMail | null;
} {
  if (mail && publicUrl) {
    const dependencies = { clock, publicUrl, sendMail: createSendMail(mail) };
    // A queue of its own each: invitations do not delay passwords.
    return {
      recoveryMail: new RecoveryMail({ ...dependencies, queue: new MailQueue(log), pool, log }),
      emailChangeMail: new EmailChangeMail({ ...dependencies, queue: new MailQueue(log), pool }),
      invitationMail: new InvitationMail({ ...dependencies, queue: new MailQueue(log) }),
      confirmationMail: new ConfirmationMail({ ...dependencies, queue: new MailQueue(log), pool }),
    };
  }
  if (mail) log.warn('SMTP_URL is set, but PUBLIC_URL is not: no mail with a link is sent');
  return { recoveryMail: null, emailChangeMail: null, invitationMail: null, confirmationMail: null };
}
