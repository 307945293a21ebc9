/** Texts around the pages of alerts. */
export const texts = {
  title: 'Alerts',
  rules: 'Rules and sensitivity',
  schedules: 'Schedules',
  silences: 'Silences',
  destinations: 'Destinations',
  quietLog: 'Quiet log',
  tabTitle: (page: string) => `${page} · Alerts`,
  choose: 'Choose a project',
  noProjects: 'No projects yet',
  createProject: 'Create project',
};
