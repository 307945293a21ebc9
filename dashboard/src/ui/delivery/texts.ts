/** Texts about deliveries. */
export const texts = {
  changes: {
    opened: 'opened',
    worse: 'worse',
    resolved: 'resolved',
    acknowledged: 'acknowledged',
    updated: 'updated',
    group_new: 'new group',
    group_regressed: 'group came back',
    schedule_missed: 'schedule missed',
    digest: 'digest',
  } as Record<string, string>,
  states: {
    pending: 'pending',
    delivered: 'delivered',
    failed: 'failed',
    collapsed: 'merged into a later message',
    held: 'held',
    dropped: 'not sent',
  },
  answered: (status: number, ms: number) => `${status} in ${ms.toLocaleString('en')} ms`,
  edit: 'message edited',
  attempts: (count: number) => `${count} attempts`,
  next: (time: string) => `next attempt ${time}`,
};
