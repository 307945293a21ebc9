import { describe, expect, it } from 'vitest';
import type { Incident, Severity } from '../../lib/api-types.ts';
import { chooseShown } from './worst-first.ts';

const list = (...severities: Severity[]) =>
  severities.map((severity, index) => ({ id: `${severity} ${index}`, severity }) as Incident);
const shown = (open: Incident[], investigating: Incident[]) =>
  chooseShown(open, investigating).map(({ id }) => id);

describe('the incidents on the overview', () => {
  it('shows at most six incidents, those under investigation below the open ones', () => {
    const [open, investigating] = [list('error', 'info'), list('error', 'error', 'warn', 'warn', 'info')];
    expect(shown(open, investigating)).toEqual([
      'error 0',
      'info 1',
      'error 0',
      'error 1',
      'warn 2',
      'warn 3',
    ]);
  });

  it('shows every critical incident, also those under investigation', () => {
    const critical = list(...Array.from({ length: 7 }, (): Severity => 'critical'));
    expect(chooseShown([...critical, ...list('error')], list('critical', 'error'))).toHaveLength(8);
    const trivial = list('error', ...Array.from({ length: 8 }, (): Severity => 'info'));
    expect(shown(trivial, list('critical'))).toEqual([
      'error 0',
      'info 1',
      'info 2',
      'info 3',
      'info 4',
      'critical 0',
    ]);
  });
});
