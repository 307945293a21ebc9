import type { Incident } from '../lib/api-types.ts';
import { localizeTimes } from '../ui/display/local-times.ts';
import { showToast } from '../ui/feedback/toasts.tsx';
import { IncidentNotice, StormNotice } from './incident-notice.tsx';
import type { News } from './news.ts';
import { texts as words } from './news-texts.ts';

const TOLD_ONE_BY_ONE = 2;
/** News within this time of a burst belong to it. */
const STORM_MS = 8_000;

/** Incidents of the current burst, by id. */
let storm: { incidents: Map<string, Incident>; untilMs: number } | null = null;

/**
 * Shows news as toasts (a few separately, many as one) and as notifications of the browser.
 * @param open opens the subject of the news
 */
export function tellNews(news: News[], nowMs: number, open: () => void): void {
  if (storm && nowMs > storm.untilMs) storm = null;
  if (storm || news.length > TOLD_ONE_BY_ONE) showStorm(news, nowMs);
  else for (const one of news) showOne(one);
  notify(news, nowMs, open);
}

/** Shows one toast; that of a critical incident stays. */
function showOne(news: News): void {
  const { incident } = news;
  const dismiss = showToast(<IncidentNotice {...news} onDone={() => dismiss()} />, {
    key: incident.id,
    lasting: incident.severity === 'critical' && incident.status === 'open',
  });
}

/** Shows one toast for all incidents of a burst, with counts that grow. */
function showStorm(news: News[], nowMs: number): void {
  const incidents = new Map(storm?.incidents);
  for (const { incident } of news) incidents.set(incident.id, incident);
  storm = { incidents, untilMs: nowMs + STORM_MS };
  const severities = [...incidents.values()].map(({ severity }) => severity);
  const dismiss = showToast(<StormNotice severities={severities} onDone={() => dismiss()} />, {
    key: 'storm',
    lasting: severities.includes('critical'),
  });
}

/** Shows a notification of the browser to users who look at something else, if they allowed it. */
function notify(news: News[], nowMs: number, open: () => void): void {
  if (!('Notification' in window) || Notification.permission !== 'granted' || document.hasFocus()) return;
  const [first] = news;
  if (!first) return;
  const { incident, headline, sentence } = first;
  const one = news.length === 1;
  const title = one ? words.browserTitle(headline, incident.title) : words.browserMany(news.length);
  const notification = new Notification(title, {
    body: one ? localizeTimes(bodyOf(incident, sentence), nowMs) : incident.title,
    // All pages of a browser notify of the same news: the later notification replaces the former.
    tag: one ? incident.id : 'tocsin.incidents',
    icon: '/app/icon.svg',
  });
  notification.addEventListener('click', () => {
    window.focus();
    notification.close();
    open();
  });
}

function bodyOf({ evidence, origin, severity }: News['incident'], sentence: string | null): string {
  if (evidence) return sentence ?? evidence.sentence;
  if (origin === 'schedule') return words.schedule(severity);
  return origin === 'manual' ? words.manual(severity) : words.alerts(severity);
}
