/** Texts of the first steps of a project. */
export const texts = {
  startPage: {
    title: 'First steps',
    projectSettings: 'Project settings',
    yourKey: 'Your key',
    sendAnEvent: 'Send an event',
  },
  lostKey: {
    shownOnce: 'The key was shown only once.',
    hint: 'Create another key to fill in the snippets below. Existing keys keep working.',
    create: 'Create another key',
    /** Name of the key that this button makes. */
    name: 'First steps',
  },
  firstEvent: {
    firstEvent: 'First event',
    waiting: 'Waiting for your first event…',
    requests: 'Where is my event?',
    arrived: 'Your first event has arrived.',
    newest: 'Newest event:',
    viewEvent: 'View event',
    openOverview: 'Open overview',
  },
  setOffAlarm: {
    title: 'Set off an alarm',
    hint: (count: number) =>
      `Sends ${count} sample errors from this browser. An incident usually opens within seconds.`,
    stillOpen: 'An incident is already open. More sample errors may join it.',
    needsKey: 'It uses a temporary key.',
    unreachable: (url: string) =>
      `This browser can’t reach ${url}. Check that the port is open and INGEST_URL is right.`,
    incident: 'Incident',
    waiting: (count: number) => `${count} errors sent. Waiting for the incident…`,
    none: 'No incident opened.',
    seeWhy: 'See why in the quiet log',
    openIncident: 'Open incident',
  },
  checklist: {
    title: 'First steps',
    progress: (done: number, all: number) => `${done} of ${all}`,
    done: '(done)',
    open: '(to do)',
    steps: {
      send: { title: 'Send an event', hint: 'From your app or with curl.' },
      alarm: { title: 'Set off an alarm', hint: 'See an incident open.' },
      notify: { title: 'Get notified', hint: 'By chat, email, pager or webhook.' },
      invite: { title: 'Invite your team', hint: 'They’ll see the same incidents.' },
      deploy: { title: 'Report a deploy', hint: 'Incidents will name the release.' },
    },
  },
};
