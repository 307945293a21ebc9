import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { anEvidence } from '../features/incidents/testing.ts';
import { describeChange, findKnown } from './incident-changes.ts';

describe('a change of an incident', () => {
  const open = { status: 'open', severity: 'error', evidence: anEvidence() } as const;

  it('reports an incident that was taken, resolved or became worse', () => {
    expect(describeChange(open, { ...open, status: 'investigating' })?.headline).toBe('Now investigating');
    expect(describeChange(open, { ...open, status: 'resolved' })?.headline).toBe('Now resolved');
    expect(describeChange(open, { ...open, severity: 'critical' })?.headline).toBe('Now critical');
  });

  it('reports a worse series that begins elsewhere once, with its sentence', () => {
    const escalation = {
      at: '2026-11-21T12:09:00.000Z',
      sentence: 'Something else has begun: `mail` errors in `post`: 40 in 1 min, usually about 2.',
      severity: 'error',
    } as const;
    const worse = { ...open, evidence: anEvidence({ escalation }) };
    const before = { ...open, severity: 'warn' } as const;
    expect(describeChange(before, worse)).toEqual({ headline: 'Now error', sentence: escalation.sentence });
    expect(describeChange(worse, worse)).toBeNull();
  });

  it('reports no incident that only has more events, is less severe, or was never seen', () => {
    expect(describeChange(open, open)).toBeNull();
    expect(describeChange({ ...open, severity: 'critical' }, open)).toBeNull();
    expect(describeChange(null, open)).toBeNull();
  });
});

describe('the known state of an incident on a page', () => {
  it('knows an incident from its own page before the lists', () => {
    const cache = new QueryClient();
    const read = (status: string) => ({ id: 'inc_1', status });
    expect(findKnown(cache, 'inc_1')).toBeNull();
    cache.setQueryData(['incidents', 'counts', null], { open: 1, investigating: 0, resolved: 0 });
    cache.setQueryData(['incidents', 'unresolved', null], [{ id: 'inc_2' }]);
    cache.setQueryData(['incidents', 'list', {}], { pages: [{ items: [read('open')], next: null }] });
    expect(findKnown(cache, 'inc_1')).toEqual(read('open'));
    expect(findKnown(cache, 'inc_2')).toEqual({ id: 'inc_2' });
    cache.setQueryData(['incidents', 'detail', 'inc_1'], read('resolved'));
    expect(findKnown(cache, 'inc_1')).toEqual(read('resolved'));
    cache.clear();
  });
});
