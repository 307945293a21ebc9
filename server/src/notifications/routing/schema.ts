import { type Static, Type } from 'typebox';
import { Severity } from '../../events/severity.ts';
import { IdText, Nullable, Timestamp } from '../../http/schemas.ts';
import { ROUTE_CHANGES } from '../../outbox/change.ts';
import { toId } from '../../platform/ids.ts';
import { isoTime } from '../../platform/time.ts';
import { MadeByToken, toNamedToken } from '../../tenancy/maker-token.ts';
import { describeRoute } from './describe-route.ts';
import type { RouteRow } from './route.ts';

const Changes = Type.Array(Type.Enum([...ROUTE_CHANGES]), {
  minItems: 1,
  uniqueItems: true,
  description:
    '`opened`, `worse` (the severity rose) and `resolved` are of incidents, `group_new` and `group_regressed` of groups. `schedule_missed`: a declared job was missed, failed or did not end; a route without it sends that as `opened`.',
});
const ProjectId = Nullable(
  Type.String({ maxLength: 256, description: 'Null: all projects, those to come included.' }),
);
const FallbackId = Nullable(
  Type.String({
    maxLength: 256,
    description: 'A second target, used after 3 failed attempts or 5 minutes. Null: none.',
  }),
);
const MaxPerWeek = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description:
      'Messages within any seven days, edits left out. What is beyond comes together in one digest a day; what opens with severity critical is always sent. Null: no bound.',
  }),
);

export const Route = Type.Object({
  id: Type.String({ examples: ['nrt_01h455vb4pex5vsknk084sn02q'] }),
  targetId: Type.String(),
  fallbackTargetId: Nullable(Type.String()),
  projectId: Nullable(Type.String()),
  minSeverity: Severity,
  changes: Changes,
  maxPerWeek: MaxPerWeek,
  sentence: Type.String({ description: 'Changes that the route sends, as its messages state them.' }),
  createdAt: Timestamp,
  madeByToken: MadeByToken,
  updatedAt: Timestamp,
});

export const NewRoute = Type.Object({
  targetId: IdText,
  fallbackTargetId: Type.Optional(FallbackId),
  projectId: Type.Optional(ProjectId),
  minSeverity: Type.Optional(Severity),
  changes: Type.Optional(Changes),
  maxPerWeek: Type.Optional(MaxPerWeek),
});
export type NewRoute = Static<typeof NewRoute>;

export const RoutePatch = Type.Object({
  fallbackTargetId: Type.Optional(FallbackId),
  projectId: Type.Optional(ProjectId),
  minSeverity: Type.Optional(Severity),
  changes: Type.Optional(Changes),
  maxPerWeek: Type.Optional(MaxPerWeek),
});
export type RoutePatch = Static<typeof RoutePatch>;

export const RouteId = Type.Object({ id: IdText });

export function toRoute(row: RouteRow): Static<typeof Route> {
  return {
    id: toId('nrt', row.id),
    targetId: toId('ntg', row.targetId),
    fallbackTargetId: row.fallbackTargetId && toId('ntg', row.fallbackTargetId),
    projectId: row.projectId && toId('proj', row.projectId),
    minSeverity: row.minSeverity,
    changes: row.changes,
    maxPerWeek: row.maxPerWeek,
    sentence: describeRoute(row),
    createdAt: isoTime(row.createdAt),
    madeByToken: toNamedToken(row.madeByToken),
    updatedAt: isoTime(row.updatedAt),
  };
}
