/*
 * A shop of five applications for a week, as far as the tasks of its people need it: three releases each with their deploys,
 * users and orders, a daily course, and errors with stack traces.
 */
const DAY_MS = 86_400_000;
const BULK_EVENTS = 2_000;
const PASSWORD = 'correct horse battery';

/** A kind of event. @param weight its part of the application's events */
interface Kind {
  weight: number;
  type: string;
  severity: 'INFO' | 'WARN' | 'ERROR';
  source: string;
  message: string;
  /** Functions of the application with their places, the innermost first; errors only. */
  frames?: readonly (readonly [name: string, file: string, line: number])[];
}

interface Application {
  name: string;
  /** Share of all events. */
  share: number;
  releases: readonly [string, string, string];
  kinds: readonly Kind[];
}

export const UNIT_PRICE: Kind = {
  weight: 0,
  type: 'server_error',
  severity: 'ERROR',
  source: 'checkout',
  message: "TypeError: Cannot read properties of undefined (reading 'unitPrice')",
  frames: [
    ['computeLineTotal', 'src/cart/line-total.ts', 41],
    ['checkout', 'src/routes/checkout.ts', 132],
  ],
};
export const COUPON: Kind = {
  weight: 2,
  type: 'server_error',
  severity: 'ERROR',
  source: 'checkout',
  message: 'CouponExpiredError: Coupon SPRING24 expired 3 days ago',
  frames: [
    ['redeemCoupon', 'src/coupons/redeem.ts', 57],
    ['applyDiscounts', 'src/cart/discounts.ts', 23],
  ],
};
export const PAYMENT: Kind = {
  weight: 0,
  type: 'payment',
  severity: 'ERROR',
  source: 'payments',
  message: 'charge.failed: the acquirer does not answer',
};

const info = (weight: number, type: string, source: string, message: string): Kind => ({
  weight,
  type,
  severity: 'INFO',
  source,
  message,
});

const APPLICATIONS: readonly Application[] = [
  {
    name: 'Storefront',
    share: 0.45,
    releases: ['4.17.0', '4.18.0', '4.18.1'],
    kinds: [
      info(60, 'order.paid', 'checkout', 'Order # was paid: 48.90 EUR by card'),
      info(30, 'login', 'accounts', 'Customer logged in'),
      { ...info(6, 'slow_query', 'catalogue', 'Query took # ms'), severity: 'WARN' },
      COUPON,
    ],
  },
  {
    name: 'Payments',
    share: 0.2,
    releases: ['2.8.4', '2.9.0', '2.9.1'],
    kinds: [
      info(92, 'payment', 'payments', 'charge.succeeded'),
      {
        ...info(8, 'payment.declined', 'payments', 'Card was declined: insufficient_funds'),
        severity: 'WARN',
      },
    ],
  },
  {
    name: 'Mobile API',
    share: 0.15,
    releases: ['7.3.0', '7.4.0', '7.4.1'],
    kinds: [
      info(90, 'push.sent', 'notifier', 'Push # delivered'),
      {
        weight: 10,
        type: 'server_error',
        severity: 'ERROR',
        source: 'gateway',
        message: 'NullPointerException: "profile" is null',
        frames: [['FeedService.render', 'FeedService.java', 214]],
      },
    ],
  },
  {
    name: 'Warehouse',
    share: 0.12,
    releases: ['2026.45', '2026.46', '2026.47'],
    kinds: [
      info(90, 'parcel.picked', 'picking', 'Parcel # picked at gate 7'),
      { ...info(10, 'scanner', 'scanner-07', 'Barcode # cannot be read'), severity: 'ERROR' },
    ],
  },
  {
    name: 'Newsletter',
    share: 0.08,
    releases: ['1.0.9', '1.1.0', '1.1.1'],
    kinds: [
      info(85, 'mail.sent', 'mailer', 'Mail # accepted'),
      { ...info(15, 'mail.bounced', 'mailer', 'Mailbox # unavailable'), severity: 'WARN' },
    ],
  },
];

/** Event that was sent, as far as questions are about it. */
export interface SentEvent {
  application: string;
  /** Message of its kind, with `#` in place of a number. */
  kind: string;
  severity: Kind['severity'];
  release: string;
  user: string;
  atMs: number;
}

export interface Shop {
  /** All events that were sent: the answers of pages are compared with them, not with what the service counts. */
  sent: readonly SentEvent[];
  /** Sessions of Ada, who owns it, and of Grace. */
  cookies: { ada: string; grace: string };
  /** Asks the API as one of them. */
  api: <T>(who: 'ada' | 'grace', method: string, path: string, body?: unknown) => Promise<T>;
  /** Reports a release of the Storefront as deployed now. */
  deploy: (release: string) => Promise<void>;
  /** Sends events of an application as they happen now. */
  send: (application: 'Storefront' | 'Payments', kind: Kind, count: number, release: string) => Promise<void>;
}

/** Signs up two people, and fills their five projects with a week of events; the newest release of the Storefront is not deployed yet. */
export async function seedShop(
  { managementUrl, ingestionUrl }: { managementUrl: string; ingestionUrl: string },
  events: number,
): Promise<Shop> {
  const call = async (url: string, method: string, headers: Record<string, string>, body?: unknown) => {
    const answer = await fetch(url, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${url} was answered ${answer.status}: ${await answer.text()}`);
    return {
      cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '',
      body: (await answer.json()) as unknown,
    };
  };
  const signUp = (name: string) =>
    call(
      `${managementUrl}/auth/signup`,
      'POST',
      {},
      {
        name,
        email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
        password: PASSWORD,
      },
    );
  const [ada, grace] = [await signUp('Ada Lovelace'), await signUp('Grace Hopper')];
  const cookies = { ada: ada.cookie, grace: grace.cookie };
  // The service of the same commit answers in its documented form.
  const api = async <T>(who: 'ada' | 'grace', method: string, path: string, body?: unknown): Promise<T> =>
    (await call(`${managementUrl}${path}`, method, { cookie: cookies[who] }, body)).body as T;
  const { organization } = await api<{ organization: { id: string } }>('ada', 'GET', '/auth/me');
  const { user } = await api<{ user: { id: string } }>('grace', 'GET', '/auth/me');
  await api('ada', 'POST', `/organizations/${organization.id}/members`, { userId: user.id });
  const keys = new Map<string, string>();
  const sent: SentEvent[] = [];
  const noted = (application: string, kind: Kind, event: ReturnType<typeof eventOf>) => {
    const { severity, release, capturedAt, correlation } = event;
    const [user, atMs] = [correlation.user_id, Date.parse(capturedAt)];
    sent.push({ application, kind: kind.message, severity, release, user, atMs });
    return event;
  };
  const nowMs = Date.now();
  const ingest = (application: string, path: string, body: unknown) =>
    call(`${ingestionUrl}/ingest/${path}`, 'POST', { 'x-api-key': keys.get(application) ?? '' }, body);
  for (const { name, share, releases, kinds } of APPLICATIONS) {
    const created = await api<{ apiKey: string }>('ada', 'POST', '/projects', { name });
    keys.set(name, created.apiKey);
    const isStorefront = name === 'Storefront';
    const deployedMs = [6.5, 3, 1].map((days) => nowMs - days * DAY_MS);
    const shown = isStorefront ? releases.slice(0, 2) : releases;
    for (const [index, release] of shown.entries())
      await ingest(name, 'deploys', { release, at: new Date(deployedMs[index] ?? nowMs).toISOString() });
    const count = Math.round(events * share);
    for (let sent = 0; sent < count; sent += BULK_EVENTS) {
      const batch = Array.from({ length: Math.min(BULK_EVENTS, count - sent) }, (_, index) => {
        const number = sent + index;
        const atMs = nowMs - 10 * 60_000 - courseOf(1 - number / count) * 6 * DAY_MS;
        const release =
          shown[deployedMs.slice(0, shown.length).filter((sinceMs) => sinceMs <= atMs).length - 1];
        const kind = chooseKind(kinds, number);
        return noted(name, kind, eventOf(kind, number, release ?? releases[0], atMs));
      });
      await ingest(name, 'bulk', batch);
    }
  }
  return {
    sent,
    cookies,
    api,
    deploy: async (release) => void (await ingest('Storefront', 'deploys', { release })),
    send: async (application, kind, count, release) => {
      const burst = Array.from({ length: count }, (_, index) =>
        noted(application, kind, eventOf(kind, index, release, Date.now())),
      );
      await ingest(application, 'bulk', burst);
    },
  };
}

/** From evenly spread places of the week, of 0 to 1, to those with more events by day than by night. */
const courseOf = (place: number) => place + Math.sin(place * 6 * 2 * Math.PI) / (6 * 2 * Math.PI) / 1.2;

/** Each kind by its weight, in turns that mix them. */
function chooseKind(kinds: readonly Kind[], number: number): Kind {
  const all = kinds.reduce((sum, { weight }) => sum + weight, 0);
  let rest = (number * 37) % all;
  for (const kind of kinds) {
    if (rest < kind.weight) return kind;
    rest -= kind.weight;
  }
  throw new Error('The application has no kinds of events.');
}

function eventOf(
  { type, severity, source, message, frames }: Kind,
  number: number,
  release: string,
  atMs: number,
) {
  // A few users come often, most rarely.
  const user = 1_001 + Math.floor((((number * 7_919) % 997) / 997) ** 3 * 300);
  const text = message.replace('#', String(10_000 + ((number * 7_919) % 89_989)));
  return {
    type,
    severity,
    source,
    message: text,
    release,
    correlation: { user_id: `usr_${user}`, order_id: `ord_${number}` },
    payload: frames ? errorPayload(text, frames) : { region: 'eu-central-1' },
    capturedAt: new Date(atMs).toISOString(),
  };
}

/** As the SDK reports an exception. */
function errorPayload(message: string, frames: NonNullable<Kind['frames']>) {
  return {
    status_code: 500,
    stack: [message, ...frames.map(([name, file, line]) => `    at ${name} (${file}:${line}:9)`)].join('\n'),
    frames: [
      ...frames.map(([name, file, line]) => ({ function: name, file, line, column: 9, inApplication: true })),
      {
        function: 'next',
        file: 'node_modules/express/lib/router/route.js',
        line: 149,
        column: 13,
        inApplication: false,
      },
    ],
  };
}
