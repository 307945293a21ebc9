import type { beginProject, SentEvent } from '../../../server/test/risk/project-life.ts';
import { CHECKOUT, IS, MAIL, ORDERS, SYNC } from '../../../server/test/risk/shop-events.ts';

export type Project = Awaited<ReturnType<typeof beginProject>>;
export type SentCount = readonly [count: number, event: SentEvent];

const CART = { ...ORDERS, type: 'cart', source: 'shop', message: 'Cart opened', release: '4.18.1' };
const EXPIRED = { ...CHECKOUT, message: 'Card expired', users: 9 };
const PAID = { type: 'payment', severity: 'INFO', source: 'bank', message: 'Paid', users: 20 };
const DECLINED = {
  ...PAID,
  severity: 'ERROR',
  message: 'Declined',
  payload: { amount: 1_999, currency: 'eur' },
};
const FRESH = { ...CHECKOUT, type: 'basket', source: 'basket', message: 'Brand new failure' };

/** Lead of an incident, by SQL clauses on stored events. */
export interface Lead {
  kind: 'rise' | 'payments' | 'group' | 'rule' | 'drop' | 'silence';
  clause: string;
  /** Events that a share is of. */
  whole: string;
  /** Usual events a minute; of payments, failures of 100. */
  usual: number;
  title: string;
  /** Series, as lists name it beside a title that names an error. */
  series: string;
}

const ORDERS_OF = { clause: `type = 'order'`, whole: 'false', series: 'order events from web' };
const LEADS = {
  checkout: {
    kind: 'rise',
    clause: IS.checkout,
    whole: `source = 'shop'`,
    usual: 0,
    title: 'Card refused in shop',
    series: 'checkout errors in shop',
  },
  sync: {
    kind: 'rise',
    clause: IS.sync,
    whole: `source = 'broker'`,
    usual: 0,
    title: 'Broker is gone in broker',
    series: 'sync errors in broker',
  },
  rule: {
    kind: 'rule',
    clause: `severity = 'critical'`,
    whole: 'true',
    usual: 0,
    title: 'Broker is gone in broker',
    series: 'Critical events',
  },
  payments: {
    kind: 'payments',
    clause: IS.failures,
    whole: `type = 'payment'`,
    usual: 0,
    title: 'Declined in bank',
    series: 'Failed payments',
  },
  newError: {
    kind: 'group',
    clause: IS.newError,
    whole: `source = 'basket'`,
    usual: 0,
    title: 'Brand new failure in basket',
    series: 'New basket errors in basket',
  },
  drop: { ...ORDERS_OF, kind: 'drop', usual: 60, title: 'order events down in web' },
  silence: { ...ORDERS_OF, kind: 'silence', usual: 30, title: 'No order events from web' },
  heartbeat: { ...ORDERS_OF, kind: 'silence', usual: 1, title: 'No order events from web' },
} as const satisfies Record<string, Lead>;

/** The life of a project of a kind of incident. */
export interface Life {
  /** Events of each minute, also of a day before. */
  usual: SentCount;
  /** Events of each minute from the beginning of the trouble on. */
  trouble: readonly SentCount[];
  /** Minutes by which the trouble begins earlier: a missing heartbeat takes longer to open an incident. */
  earlier?: number;
  /** Event that joins without becoming the lead. */
  joiner: SentCount;
  lead: Lead;
  /** Events of a clearly worse series, which becomes the lead; null: the incident keeps its own until its end. */
  worse: { sent: SentCount; lead: Lead } | null;
}

const WORSE = { sent: [400, SYNC], lead: LEADS.sync } as const;

const PAYMENTS: Life = {
  usual: [20, PAID],
  trouble: [
    [14, PAID],
    [26, DECLINED],
  ],
  joiner: [20, MAIL],
  lead: LEADS.payments,
  worse: { sent: [400, { ...SYNC, severity: 'CRITICAL' }], lead: LEADS.rule },
};
const SILENCE: Life = {
  usual: [30, ORDERS],
  trouble: [],
  joiner: [20, MAIL],
  lead: LEADS.silence,
  worse: WORSE,
};

export const LIVES: Record<string, Life> = {
  rise: {
    usual: [20, CART],
    trouble: [
      [20, CART],
      [40, CHECKOUT],
      [10, EXPIRED],
    ],
    joiner: [20, MAIL],
    lead: LEADS.checkout,
    worse: WORSE,
  },
  drop: { usual: [60, ORDERS], trouble: [[6, ORDERS]], joiner: [1, MAIL], lead: LEADS.drop, worse: WORSE },
  silence: SILENCE,
  payments: PAYMENTS,
  newError: {
    usual: [10, ORDERS],
    trouble: [
      [10, ORDERS],
      [1, FRESH],
    ],
    joiner: [1, MAIL],
    lead: LEADS.newError,
    worse: WORSE,
  },
  heartbeat: {
    usual: [1, ORDERS],
    trouble: [],
    earlier: 2,
    joiner: [1, MAIL],
    lead: LEADS.heartbeat,
    worse: WORSE,
  },
  'silence to the end': { ...SILENCE, worse: null },
  'payments to the end': { ...PAYMENTS, worse: null },
};
