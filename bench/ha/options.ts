import { parseArgs } from 'node:util';
import { UsageError } from '../table/options.ts';
import { FAULTS } from './faults.ts';

const DEFAULT_RATE = 200;
const MAX_RATE = 2_000;
const MAX_SEED = 2 ** 32 - 1;

export interface ProofOptions {
  /** Names of faults, in their order. */
  faults: string[];
  seed: number;
  /** Events a second. */
  rate: number;
  /** Freezes the primary under the unpatched Patroni 3.0.2 until it loses events, in place of the faults. */
  rewind: boolean;
  /** Directory for the logs of all processes; null: they are thrown away. */
  logs: string | null;
}

export const USAGE = `npm run prove:ha -- [OPTION…]

  --fault NAME    only this fault; may be repeated
  --list          lists the faults
  --seed N        draws the moments of the faults and who repeats what: 1
  --rate N        events a second: ${DEFAULT_RATE}
  --rewind        freezes the primary under Debian's unpatched Patroni 3.0.2 until events are lost, which Tocsin must report
  --logs DIR      keeps the logs of all processes in this directory
  --help          prints this

PATRONI=/path/to/patroni runs another Patroni than Debian's; patronictl is beside it.`;

/** @throws UsageError */
export function readOptions(parameters: string[]): ProofOptions | 'help' | 'list' {
  const values = parse(parameters);
  if (values.help) return 'help';
  if (values.list) return 'list';
  const names = values.fault ?? Object.keys(FAULTS);
  const unknown = names.find((name) => !Object.hasOwn(FAULTS, name));
  if (unknown !== undefined)
    throw new UsageError(`There is no fault "${unknown}"; there are ${Object.keys(FAULTS).join(', ')}.`);
  return {
    faults: names,
    seed: readNumber('--seed', values.seed ?? '1', MAX_SEED),
    rate: readNumber('--rate', values.rate ?? String(DEFAULT_RATE), MAX_RATE),
    rewind: values.rewind ?? false,
    logs: values.logs ?? null,
  };
}

function parse(parameters: string[]) {
  try {
    return parseArgs({
      args: parameters,
      options: {
        fault: { type: 'string', multiple: true },
        list: { type: 'boolean' },
        seed: { type: 'string' },
        rate: { type: 'string' },
        rewind: { type: 'boolean' },
        logs: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readNumber(name: string, given: string, max: number): number {
  const number = Number(given);
  if (!/^\d+$/.test(given) || number < 1 || number > max)
    throw new UsageError(`${name} is a whole number from 1 to ${max}, not "${given}".`);
  return number;
}
