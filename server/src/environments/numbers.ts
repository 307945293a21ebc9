import { MAX_NAMED_ENVIRONMENTS } from './limits.ts';

/*
 * Each environment has a number within its project. 1 to 3 are those of the type `environment`, in its order; 0 stands
 * for all names beyond the bound.
 */

export const OTHER = { number: 0, name: 'other' };
/** Numbers that are the same in every project, by name. */
export const FIXED_NUMBERS: ReadonlyMap<string, number> = new Map([
  [OTHER.name, OTHER.number],
  ['production', 1],
  ['staging', 2],
  ['development', 3],
]);
export const FIRST_NAMED = 4;
export const LAST_NAMED = FIRST_NAMED + MAX_NAMED_ENVIRONMENTS - 1;
/** Number of events whose environment has none yet: they are stored once it has one. */
export const NO_NUMBER = 31;

/** SQL of the number of an environment of the type `environment`. */
export const numberOf = (environment: string) =>
  `array_position(enum_range(NULL::environment), ${environment})::smallint`;

/**
 * SQL of the number of a name, by a JSON object of the numbers that names have. Once all are given, each further name
 * is `other`.
 */
export const numberOfName = (name: string, numbers: string) =>
  `coalesce((${numbers} -> ${name})::smallint, CASE WHEN ${numbers} @? '$.* ? (@ == ${LAST_NAMED})'
    THEN ${OTHER.number} ELSE ${NO_NUMBER} END)::smallint`;

/** SQL of the numbers of a project's environments that are not watched. */
export const unwatchedOf = (projectId: string) =>
  `ARRAY(SELECT e.number FROM environments AS e WHERE e.project_id = ${projectId} AND NOT e.is_watched)`;

/** SQL: an event, or a count of events, of the project is from a watched environment. */
export const isOfWatched = (projectId: string) => `environment <> ALL (${unwatchedOf(projectId)})`;

/** SQL: an event of the project is evidence: from a watched environment, and no alert of another system. */
export const isEvidence = (projectId: string) => `${isOfWatched(projectId)} AND is_alert IS NOT TRUE`;

/** SQL: the environment of a name, which has a number, is watched. */
export const isWatchedName = (name: string, projectId: string) => `NOT EXISTS (SELECT FROM environments AS e
    WHERE e.project_id = ${projectId} AND e.name = ${name} AND NOT e.is_watched)`;

/** SQL of the name of a number. */
export const nameOfNumber = (number: string, projectId: string) =>
  `coalesce((enum_range(NULL::environment))[${number}]::text, (
    SELECT e.name FROM environments AS e WHERE e.project_id = ${projectId} AND e.number = ${number}), '${OTHER.name}')`;
