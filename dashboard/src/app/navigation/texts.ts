/** Texts of the navigation. */
export const texts = {
  name: 'Main',
  product: 'Tocsin',
  skip: 'Skip to content',
  open: (count: number) => `${count} open`,
  releases: 'Releases',
  expand: 'Expand navigation',
  collapse: 'Collapse',
  places: {
    overview: 'Overview',
    incidents: 'Incidents',
    groups: 'Groups',
    events: 'Events',
    alerts: 'Alerts',
    projects: 'Projects',
    settings: 'Settings',
  },
};
