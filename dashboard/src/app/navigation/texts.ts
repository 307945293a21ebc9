/** Texts of the navigation. */
export const texts = {
  name: 'Main',
  product: 'Tocsin',
  skip: 'Skip to content',
  open: 'open',
  expand: 'Expand navigation',
  collapse: 'Collapse',
  places: {
    overview: 'Overview',
    incidents: 'Incidents',
    groups: 'Groups',
    events: 'Events',
    releases: 'Releases',
    projects: 'Projects',
    settings: 'Settings',
  },
};
