import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export const POSTGRES_PROGRAMS = '/usr/lib/postgresql/15/bin';

const DEBIANS = '/usr/bin/patroni';
const DEBIANS_MODULES = '/usr/lib/python3/dist-packages/patroni';

/** Version before the pull requests 2689 and 2693, in which a primary that wakes takes the leader's key back unasked. */
const UNSAFE = '3.0.2';

/** Command and environment of a Patroni. */
export interface Patroni {
  program: string;
  controller: string;
  environment: NodeJS.ProcessEnv;
  /** For the output. */
  title: string;
}

/**
 * Returns the Patroni of `PATRONI`, or Debian's; an unsafe one is patched in a copy below `directory`.
 * @param isUnpatched leaves out the patch
 * @throws where the version leaves nothing to prove or cannot be patched
 */
export function choosePatroni(directory: string, isUnpatched: boolean): Patroni {
  const program = process.env.PATRONI || DEBIANS;
  const controller = path.join(path.dirname(program), 'patronictl');
  const printed = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const version = /\d+(?:\.\d+)+/.exec(printed)?.[0] ?? printed.trim();
  const chosen = { program, controller, environment: {}, title: `Patroni ${version}` };
  if (isUnpatched && (version !== UNSAFE || program !== DEBIANS))
    throw new Error(`Only Debian's Patroni ${UNSAFE} is known to lose events, not ${version} of ${program}.`);
  if (isUnpatched || version !== UNSAFE) return chosen;
  patch(directory);
  return { ...chosen, environment: { PYTHONPATH: directory }, title: `${chosen.title} with the patch` };
}

const UNCONDITIONAL = `                    self._run_and_handle_exceptions(self._client.put, self.leader_path,
                                                    self._name, self._lease, retry=_retry)
                except ReturnFalseException:
                    pass
        return bool(self._lease)
`;

/** As the pull requests do it: the key is written where it holds the own name, or where there is none. */
const COMPARED = `                    key = base64_encode(self.leader_path)
                    own = base64_encode(self._name)
                    compare = {'key': key, 'target': 'VALUE', 'result': 'EQUAL', 'value': own}
                    put = {'request_put': {'key': key, 'value': own, 'lease': self._lease}}
                    if not self._run_and_handle_exceptions(self._client.txn, compare, put, retry=_retry):
                        return self._run_and_handle_exceptions(self._client.put, self.leader_path, self._name,
                                                               self._lease, '0', retry=_retry)
                except ReturnFalseException:
                    return False
        return bool(self._lease)
`;

function patch(directory: string): void {
  cpSync(DEBIANS_MODULES, path.join(directory, 'patroni'), { recursive: true });
  const file = path.join(directory, 'patroni/dcs/etcd3.py');
  const before = readFileSync(file, 'utf8');
  if (before.split(UNCONDITIONAL).length !== 2) throw new Error(`${file} is not that of ${UNSAFE}.`);
  writeFileSync(file, before.replace(UNCONDITIONAL, COMPARED));
}
