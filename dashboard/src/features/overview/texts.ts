import { formatEvents } from '../../lib/format.ts';

/** Texts of the overview. */
export const texts = {
  eventsOverTime: {
    title: 'Events over time',
  },
  ledgerNotes: {
    noEventsYet: 'No events yet.',
    sendYourFirstEvent: 'Send your first event',
    ledger: 'Ledger',
    waiting: (count: number) => `${formatEvents(count)} waiting to be stored.`,
    dead: (count: number) =>
      `${formatEvents(count)} couldn’t be stored and became ${count === 1 ? 'a dead letter' : 'dead letters'}.`,
    allStored: (events: string) => `All ${events} events received are stored.`,
    notAllStored: (received: string, stored: string, others: string) =>
      `${received} events received, ${stored} stored, ${others}.`,
  },
  notifyButton: {
    hint: 'Get a browser notification for new incidents',
    notifyMe: 'Notify me',
  },
  openIncidents: {
    openIncidents: 'Open incidents',
    allIncidents: 'All incidents',
    noOpenIncidents: 'No open incidents',
    more: (count: string) => `+${count} more`,
  },
  overviewPage: {
    overview: 'Overview',
    noProjectsYet: 'No projects yet',
    createProject: 'Create project',
    noProjectsHint: 'Create a project to start receiving events.',
    topTypes: 'Top types',
    topSources: 'Top sources',
    topFingerprints: 'Top fingerprints',
  },
  topList: {
    none: 'No events in this range',
    noSource: 'no source',
  },
};
