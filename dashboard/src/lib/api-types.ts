import type { Static } from 'typebox';
import type { ProjectEnvironment } from '../../../server/src/environments/schema.ts';
import type { Erasure, ErasurePreview, NewErasure } from '../../../server/src/erasures/schema.ts';
import type {
  CorrelationKey,
  Event,
  EventFilter,
  HistogramBucket,
  ListedEvent as ListedEventRecord,
  TopBy,
  TopValue,
  WholeEvent,
} from '../../../server/src/events/schema.ts';
import type { ReplacedValues, ScrubPreview } from '../../../server/src/events/scrub-preview/schema.ts';
import type { Severity } from '../../../server/src/events/severity.ts';
import type { GroupPatch } from '../../../server/src/groups/change/schema.ts';
import type {
  ComparedGroup,
  ComparedRelease,
  Comparison,
} from '../../../server/src/groups/comparison/schema.ts';
import type { GroupCounts, GroupRelease } from '../../../server/src/groups/count-schema.ts';
import type {
  Group,
  GroupDetail,
  GroupHistoryEntry,
  GroupSort,
  GroupState,
} from '../../../server/src/groups/schema.ts';
import type { PreviousIncident as PreviousIncidentSchema } from '../../../server/src/incidents/api/previous-incidents.ts';
import type { Current } from '../../../server/src/incidents/current-values.ts';
import type { Evidence, RiskSeries } from '../../../server/src/incidents/evidence-schema.ts';
import type { GroupIncident } from '../../../server/src/incidents/groups/group-incident-route.ts';
import type { IncidentGroup as IncidentGroupSchema } from '../../../server/src/incidents/groups/incident-groups.ts';
import type { IncidentPatch, NewIncident } from '../../../server/src/incidents/request-schema.ts';
import type {
  Incident,
  IncidentSummary,
  IncidentWithTimeline,
  TimelineEntry,
} from '../../../server/src/incidents/schema.ts';
import type { Browser } from '../../../server/src/notifications/browsers/schema.ts';
import type {
  DecidedChange,
  Delivery as DeliveryRecord,
} from '../../../server/src/notifications/log/schema.ts';
import type { Preview as NotificationPreviewRecord } from '../../../server/src/notifications/preview/schema.ts';
import type { ConfirmationOffer } from '../../../server/src/notifications/recipients/schema.ts';
import type { NewRoute, Route } from '../../../server/src/notifications/routing/schema.ts';
import type { NewSilence, Silence } from '../../../server/src/notifications/silences/schema.ts';
import type {
  NewQuietHours as NewQuietHoursRecord,
  QuietHours as QuietHoursRecord,
} from '../../../server/src/notifications/targets/quiet-hours.ts';
import type { CreatedTarget, Target, TestResult } from '../../../server/src/notifications/targets/schema.ts';
import type { Problem as ProblemDocument } from '../../../server/src/platform/errors.ts';
import type {
  DeadLetter,
  DeadLetterDetail,
  TakenLetters,
} from '../../../server/src/processing/dead-letters/schema.ts';
import type { Topic as ServerTopic } from '../../../server/src/realtime/clients.ts';
import type { GroupChange } from '../../../server/src/realtime/live-updates.ts';
import type { Deploy, Release } from '../../../server/src/releases/schema.ts';
import type { ProjectRequests, Trace } from '../../../server/src/requests/schema.ts';
import type { Decision, DecisionOutcome, Suppression } from '../../../server/src/risk/incidents/schema.ts';
import type { RiskState } from '../../../server/src/risk/live/schema.ts';
import type { Points, Preview, RulePreview } from '../../../server/src/risk/replay/schema.ts';
import type { WatchedSeriesList } from '../../../server/src/risk/series/schema.ts';
import type {
  CountRule,
  RiskSettings,
  RiskSettingsPatch as RiskSettingsChanges,
} from '../../../server/src/risk/settings/schema.ts';
import type { ErrorCode } from '../../../server/src/roles/errors.ts';
import type { CheckIn, CreatedSchedule, Schedule } from '../../../server/src/schedules/schema.ts';
import type { SourceFrame } from '../../../server/src/source-maps/frames/schema.ts';
import type {
  LogInBody,
  RecoveryCodes,
  SessionInfo,
  SignUpBody,
  TotpSecret,
  TotpStatus,
} from '../../../server/src/tenancy/accounts/schema.ts';
import type { SignUpMode } from '../../../server/src/tenancy/accounts/sign-up-policy.ts';
import type { CreatedHook, Hook } from '../../../server/src/tenancy/api-keys/hooks/schema.ts';
import type { ApiKey, CreatedApiKey } from '../../../server/src/tenancy/api-keys/schema.ts';
import type {
  CreatedInvitation,
  Invitation,
  InvitationOffer,
} from '../../../server/src/tenancy/invitations/schema.ts';
import type { Notice } from '../../../server/src/tenancy/organizations/notice-schema.ts';
import type {
  AuditEntry,
  Member,
  Organization,
  OrganizationSummary,
} from '../../../server/src/tenancy/organizations/schema.ts';
import type {
  CreatedProject,
  Environment,
  Ledger,
  Project,
} from '../../../server/src/tenancy/projects/schema.ts';
import type { ProjectQuotas } from '../../../server/src/tenancy/quotas/schema.ts';
import type { RecoveryLink, RecoveryOffer } from '../../../server/src/tenancy/recovery/schema.ts';
import type { Role } from '../../../server/src/tenancy/session.ts';
import type { CreatedToken, NewToken, Token } from '../../../server/src/tenancy/tokens/schema.ts';
import type { User } from '../../../server/src/tenancy/user.ts';

/*
 * Requests and responses of the API: the types of the server's schemas, under the names that the dashboard uses.
 * Only types are imported: no code of the server gets into the bundle.
 */
export type {
  ComparedGroup,
  ComparedRelease,
  Comparison,
  CorrelationKey,
  CountRule,
  Current,
  Decision,
  DecisionOutcome,
  Deploy,
  Environment,
  Event,
  Evidence,
  Group,
  GroupCounts,
  GroupDetail,
  GroupPatch,
  GroupSort,
  GroupState,
  Incident,
  IncidentSummary,
  ListedEventRecord,
  Points,
  Preview,
  ProjectEnvironment,
  ProjectRequests,
  Release,
  RiskSeries,
  RiskSettings,
  RiskSettingsChanges,
  RiskState,
  Role,
  RulePreview,
  Severity,
  SourceFrame,
  Suppression,
  TopBy,
  TopValue,
  WatchedSeriesList,
  WholeEvent,
};
export type Status = Incident['status'];
export type EventFilterParameters = Static<typeof EventFilter> & {
  [value: `correlation.${string}` | `payload.${string}`]: string | string[] | undefined;
};
export type Bucket = Static<typeof HistogramBucket>;
export type IncidentDetail = Static<typeof IncidentWithTimeline>;
export type IncidentGroup = Static<typeof IncidentGroupSchema>;
export type PreviousIncident = Static<typeof PreviousIncidentSchema>;
export type IncidentCreation = Static<typeof NewIncident>;
export type IncidentChanges = Static<typeof IncidentPatch>;
export type TimelineItem = Static<typeof TimelineEntry>;
export type GroupHistoryRecord = Static<typeof GroupHistoryEntry>;
export type GroupReleaseRecord = GroupRelease;
export type ScheduleRecord = Schedule;
export type NewScheduleRecord = Static<typeof CreatedSchedule>;
export type CheckInRecord = CheckIn;
export type GroupIncidentRecord = Static<typeof GroupIncident>;
export type Delivery = DeliveryRecord;
export type NotificationDecision = DecidedChange;
export type NotificationTarget = Target;
export type QuietHours = QuietHoursRecord;
export type NewQuietHours = NewQuietHoursRecord;
export type ConfirmationOfferRecord = ConfirmationOffer;
export type CreatedNotificationTarget = Static<typeof CreatedTarget>;
export type NotifiedBrowser = Static<typeof Browser>;
export type TargetTest = Static<typeof TestResult>;
export type NotificationRoute = Static<typeof Route>;
export type NewNotificationRoute = NewRoute;
export type NotificationPreview = NotificationPreviewRecord;
export type SilenceRecord = Silence;
export type SilenceValues = NewSilence;
export type ProjectRecord = Static<typeof Project>;
export type NewProjectRecord = Static<typeof CreatedProject>;
export type ErasureRecord = Erasure;
export type ErasureValues = NewErasure;
export type ErasurePreviewRecord = Static<typeof ErasurePreview>;
export type ScrubPreviewRecord = ScrubPreview;
export type ScrubCountRecord = ReplacedValues[number];
export type LedgerRecord = Static<typeof Ledger>;
export type DeadLetterRecord = Static<typeof DeadLetter>;
export type DeadLetterDetailRecord = Static<typeof DeadLetterDetail>;
export type TakenLettersRecord = Static<typeof TakenLetters>;
export type FoundRequest = Trace;
export type KeyRecord = Static<typeof ApiKey>;
export type NewKeyRecord = Static<typeof CreatedApiKey>;
export type HookRecord = Static<typeof Hook>;
export type NewHookRecord = Static<typeof CreatedHook>;
export type TokenRecord = Token;
export type NewTokenRecord = Static<typeof CreatedToken>;
export type TokenValues = Static<typeof NewToken>;
export type TokenScope = Token['scopes'][number];
export type MemberRecord = Static<typeof Member>;
export type OrganizationRecord = Static<typeof Organization>;
export type OwnSession = Static<typeof SessionInfo>;
export type NoticeRecord = Static<typeof Notice>;
export type ProjectQuotasRecord = Static<typeof ProjectQuotas>;
export type AuditRecord = Static<typeof AuditEntry>;
export type SignUp = Static<typeof SignUpBody>;
export type LogIn = Static<typeof LogInBody>;
export type TotpStatusRecord = Static<typeof TotpStatus>;
export type TotpSecretRecord = Static<typeof TotpSecret>;
export type RecoveryCodesRecord = Static<typeof RecoveryCodes>;

export type InvitationRecord = Static<typeof Invitation>;
export type NewInvitationRecord = Static<typeof CreatedInvitation>;
export type InvitationOfferRecord = Static<typeof InvitationOffer>;

export type RecoveryLinkRecord = Static<typeof RecoveryLink>;
export type RecoveryOfferRecord = Static<typeof RecoveryOffer>;

/** Response of `/auth/options`. */
export interface SignInOptions {
  signUp: SignUpMode;
  /** False until the first user has signed up. */
  hasUsers: boolean;
  /** True if a forgotten password can be reset by mail. */
  passwordReset: boolean;
}

/** Response of `/auth/me`, `/auth/signup` and `/auth/login`. */
export interface SessionRecord {
  user: User;
  organization: Static<typeof OrganizationSummary>;
}

/** Message of the WebSocket. */
export type Message =
  | { event: 'incident_created' | 'incident_updated'; data: Incident }
  | { event: 'event_captured'; data: Event; omitted?: number }
  | { event: 'group_updated'; change: GroupChange; mergedInto: string | null; data: Group }
  | { event: 'release_created'; data: Release }
  | { event: 'deploy_recorded'; data: Deploy };

/** Topic that a page can subscribe to beside incidents. */
export type Topic = ServerTopic;

/** Response of `/incidents/counts`. */
export type IncidentCounts = Record<Status, number>;

/** Response of `/service`. */
export interface ServiceRecord {
  /** URL to which applications send events. */
  ingestUrl: string;
  retentionDays: number;
  /** Public URL; null if it is not set, so that notifications have no links. */
  publicUrl: string | null;
  /** Warnings about the installation, for OWNERs. */
  warnings: ('open_signup' | 'failing_targets' | 'unconfirmed_targets')[];
}

/** Error as the service sends it. */
export type Problem = Omit<ProblemDocument, 'code'> & { code: ErrorCode };
