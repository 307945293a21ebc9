import { type Static, Type } from 'typebox';
import { MAX_SOURCE_LENGTH, MAX_TYPE_LENGTH } from '../events/limits.ts';
import { Severity } from '../events/severity.ts';
import { Cursor, Limit, Name, Nullable, Timestamp } from '../http/schemas.ts';
import { NullableToken } from '../tenancy/maker-token.ts';
import {
  GRACE_SECONDS,
  IN_A_ROW,
  INTERVAL_SECONDS,
  MAX_BODIES,
  MAX_BODY_BYTES,
  MAX_CRON_LENGTH,
  MAX_SLUG_LENGTH,
  MAX_TIME_ZONE_LENGTH,
  RUN_SECONDS,
  SLUG_PATTERN,
} from './limits.ts';

/** Outcomes of a run, and output. Jobs report the first three and the last, the service finds the others. */
const RUN_STATUSES = ['in_progress', 'ok', 'error', 'missed', 'timed_out', 'unknown'] as const;
export const CheckInStatus = Type.Enum([...RUN_STATUSES, 'log'], {
  description:
    '`log`: output of the job, which says nothing about the run. `missed`: no check-in came in time. `timed_out`: a run that has started did not end in time. `unknown`: none came, but the service did not accept check-ins all the time.',
});
export type CheckInStatus = Static<typeof CheckInStatus>;

export const ScheduleStatus = Type.Enum(['waiting', 'ok', 'running', 'late', 'failing', 'paused'], {
  description:
    '`waiting`: no check-in yet. `late`: one is due, the grace period goes on. `failing`: the last run failed, was missed or did not end.',
});
export type ScheduleStatus = Static<typeof ScheduleStatus>;

const Cron = Type.String({
  minLength: 1,
  maxLength: MAX_CRON_LENGTH,
  description: 'Minute, hour, day of the month, month, day of the week; `@daily` and the like too.',
  examples: ['0 3 * * *'],
});
const IntervalSeconds = Type.Integer({
  minimum: INTERVAL_SECONDS.min,
  maximum: INTERVAL_SECONDS.max,
  description: 'The time from one check-in to the next.',
});
const TimeZone = Type.String({
  minLength: 1,
  maxLength: MAX_TIME_ZONE_LENGTH,
  description: 'The IANA time zone of `cron`.',
  examples: ['Europe/Berlin'],
});
const GraceSeconds = Type.Integer({
  minimum: GRACE_SECONDS.min,
  maximum: GRACE_SECONDS.max,
  description: `Tolerance for a late check-in. Default: ${GRACE_SECONDS.default}.`,
});
const MaxRuntimeSeconds = Type.Integer({
  minimum: RUN_SECONDS.min,
  maximum: RUN_SECONDS.max,
  description: `Maximum duration of a run that reported its start. Default: ${RUN_SECONDS.default}. Null: until the next run is missed.`,
});
const InARow = (description: string) =>
  Type.Integer({ minimum: IN_A_ROW.min, maximum: IN_A_ROW.max, description });
const SeriesType = Type.String({
  minLength: 1,
  maxLength: MAX_TYPE_LENGTH,
  description: 'The job sends events of this type as well: their learned heartbeat opens no incident.',
});
const SeriesSource = Type.String({ minLength: 1, maxLength: MAX_SOURCE_LENGTH });

const Slug = Type.String({
  minLength: 1,
  maxLength: MAX_SLUG_LENGTH,
  pattern: SLUG_PATTERN,
  description: 'Name of the schedule in check-ins, unique in its project.',
  examples: ['nightly-backup'],
});

/** Fields that can be changed. */
const settings = {
  name: Name('Display name of the job'),
  timeZone: TimeZone,
  graceSeconds: GraceSeconds,
  maxRuntimeSeconds: Nullable(MaxRuntimeSeconds),
  failureAfter: InARow('Number of failures in a row that open an incident. Default: 1.'),
  recoverAfter: InARow('Number of successes in a row that resolve it. Default: 1.'),
  severity: Type.Unsafe<Severity>({
    ...Severity,
    description: 'Severity of its incidents. Default: `error`.',
  }),
  type: Nullable(SeriesType),
  source: Nullable(SeriesSource),
  paused: Type.Boolean(),
};

export const Schedule = Type.Object({
  id: Type.String({ examples: ['sch_01h455vb4pex5vsknk084sn02q'] }),
  projectId: Type.String(),
  slug: Slug,
  cron: Nullable(Cron),
  intervalSeconds: Nullable(IntervalSeconds),
  ...settings,
  status: ScheduleStatus,
  lastCheckInAt: Nullable(Timestamp),
  lastStatus: Type.Unsafe<CheckInStatus | null>({ enum: [...RUN_STATUSES, null] }),
  lastDurationSeconds: Nullable(Type.Number()),
  problem: Nullable(
    Type.String({
      description:
        'Reason why the service cannot follow its timetable. No run is missed then; check-ins are recorded.',
      examples: [
        'The time zone Europe/Nowhere is no time zone that is known here, such as Europe/Berlin or UTC.',
      ],
    }),
  ),
  nextDueAt: Nullable(
    Type.String({ ...Timestamp, description: 'Null while it is paused, or has a problem.' }),
  ),
  incidentId: Nullable(Type.String({ description: 'Incident of the present failure.' })),
  createdAt: Timestamp,
  madeByToken: NullableToken(
    'The access token that made the ping address; null: a login or an application did, or a version that did not record it.',
  ),
});
export type Schedule = Static<typeof Schedule>;

const secretUrl = {
  pingUrl: Type.String({
    description:
      'GET or POST it for a success, with `/start`, `/fail`, `/log` or the exit status behind it for the others. It can only be used to check in. Shown only once.',
  }),
};
export const CreatedSchedule = Type.Object({ ...Schedule.properties, ...secretUrl });
export const PingUrl = Type.Object(secretUrl);

export const NewSchedule = Type.Object({
  slug: Type.Optional({ ...Slug, description: 'Default: made of the name.' }),
  cron: Type.Optional(Nullable(Cron)),
  intervalSeconds: Type.Optional(Nullable(IntervalSeconds)),
  ...Type.Partial(Type.Object(settings)).properties,
});

export const SchedulePatch = Type.Partial(
  Type.Object({ cron: Nullable(Cron), intervalSeconds: Nullable(IntervalSeconds), ...settings }),
);

export const ScheduleQuery = Type.Object({ limit: Type.Optional(Limit), cursor: Type.Optional(Cursor) });

export const CheckIn = Type.Object({
  id: Type.String({ examples: ['chk_01h455vb4pex5vsknk084sn02q'] }),
  status: CheckInStatus,
  at: Timestamp,
  dueAt: Nullable(Timestamp),
  durationSeconds: Nullable(Type.Number()),
  runId: Nullable(Type.String({ description: 'Id that the job gave its run, as `rid` of a ping.' })),
  body: Nullable(
    Type.String({
      description: `Last ${MAX_BODY_BYTES} bytes of what the job posted. The newest ${MAX_BODIES} failures of a schedule keep it, and the newest ${MAX_BODIES} other check-ins.`,
    }),
  ),
});
export type CheckIn = Static<typeof CheckIn>;

export const DeclaredSchedule = Type.Object(
  {
    cron: Type.Optional(Nullable(Cron)),
    intervalSeconds: Type.Optional(Nullable(IntervalSeconds)),
    name: Type.Optional(settings.name),
    timeZone: Type.Optional(TimeZone),
    graceSeconds: Type.Optional(GraceSeconds),
    maxRuntimeSeconds: Type.Optional(Nullable(MaxRuntimeSeconds)),
    failureAfter: Type.Optional(settings.failureAfter),
    recoverAfter: Type.Optional(settings.recoverAfter),
  },
  { description: 'Creates the schedule where there is none of this slug, else changes what differs.' },
);
export type DeclaredSchedule = Static<typeof DeclaredSchedule>;

/** Body of a check-in by API key; without a body it is a success. */
const CheckInFields = Type.Object({
  status: Type.Optional(Type.Enum(['in_progress', 'ok', 'error'], { default: 'ok' })),
  schedule: Type.Optional(DeclaredSchedule),
});
export const CheckInBody = Type.Unsafe<Static<typeof CheckInFields> | null>({
  ...CheckInFields,
  type: ['object', 'null'],
});

export const AcceptedCheckIn = Type.Object({
  status: Type.Literal('recorded'),
  scheduleId: Type.String(),
  nextDueAt: Nullable(Timestamp),
});
