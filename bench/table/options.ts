import path from 'node:path';
import { parseArgs } from 'node:util';
import type { Options } from './row.ts';

/** Enough for a median that one disturbed round does not move. */
const DEFAULT_ROUNDS = 5;
const DEFAULT_SECONDS = 6;
const MAX_ROUNDS = 99;
const MAX_SECONDS = 600;

export interface Part<Measure = unknown> {
  /** Subject of the measurement, for `--list`. */
  about: string;
  measure: Measure;
  /** Takes many minutes: runs only where it is named. */
  isLong?: true;
  /** The option without which it cannot run. */
  needs?: 'commit' | 'data';
}

/** Request of the command line. */
export type Request = { show: 'help' } | { show: 'list' } | TableRequest;

export interface TableRequest {
  show: 'table';
  names: string[];
  /** The Node on which the service runs; null: the one on which the benchmark runs. */
  node: string | null;
  options: Omit<Options, 'log'>;
}

/** A wrong command line, in a sentence for who typed it. */
export class UsageError extends Error {}

export const USAGE = `npm run bench -- [OPTION…]

  --part NAME     measures this part; may be repeated. Without it: all parts but the long ones
  --list          lists the parts
  --rounds N      alternating rounds of what is compared: ${DEFAULT_ROUNDS}
  --seconds N     of each load: ${DEFAULT_SECONDS}
  --node VERSION  runs the service and the client library on this Node: 24
  --commit REV    the version that the part "before" compares with
  --data DIR      a data directory that npm run bench:queries has filled; may be repeated. The part "growth" adds events to it
  --help          prints this`;

const NEEDED = {
  commit: 'the version to compare with',
  data: 'a directory that npm run bench:queries has filled, for each number of events',
};

/** @throws UsageError */
export function readRequest(parameters: string[], parts: Record<string, Part>): Request {
  const values = parse(parameters);
  if (values.help) return { show: 'help' };
  if (values.list) return { show: 'list' };
  const names = values.part ?? Object.keys(parts).filter((name) => !parts[name]?.isLong);
  const unknown = names.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined)
    throw new UsageError(`There is no part "${unknown}"; there are ${Object.keys(parts).join(', ')}.`);
  for (const name of names) {
    const { needs } = parts[name] ?? {};
    if (needs !== undefined && values[needs] === undefined)
      throw new UsageError(`The part "${name}" needs --${needs}, ${NEEDED[needs]}.`);
  }
  return {
    show: 'table',
    names: [...new Set(names)],
    node: values.node ?? null,
    options: {
      rounds: readNumber('--rounds', values.rounds, DEFAULT_ROUNDS, MAX_ROUNDS),
      seconds: readNumber('--seconds', values.seconds, DEFAULT_SECONDS, MAX_SECONDS),
      commit: values.commit ?? '',
      data: (values.data ?? []).map((directory) => path.resolve(directory)),
    },
  };
}

function parse(parameters: string[]) {
  try {
    return parseArgs({
      args: parameters,
      options: {
        part: { type: 'string', multiple: true },
        list: { type: 'boolean' },
        rounds: { type: 'string' },
        seconds: { type: 'string' },
        node: { type: 'string' },
        commit: { type: 'string' },
        data: { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readNumber(name: string, given: string | undefined, otherwise: number, max: number): number {
  if (given === undefined) return otherwise;
  const number = Number(given);
  if (!/^\d+$/.test(given) || number < 1 || number > max)
    throw new UsageError(`${name} is a whole number from 1 to ${max}, not "${given}".`);
  return number;
}
