import { type Static, Type } from 'typebox';

export const ProjectEnvironment = Type.Object({
  name: Type.String({ examples: ['staging'] }),
  isWatched: Type.Boolean({
    description:
      'False: its events are stored, found and counted, but open and reopen nothing, and detection learns nothing from them.',
  }),
  eventsLastHour: Type.Integer({ description: 'Number of its events that were captured in the last hour.' }),
  isOwn: Type.Boolean({
    description: 'True for the environment of the project, which events have by default.',
  }),
});
export type ProjectEnvironment = Static<typeof ProjectEnvironment>;

export const EnvironmentPatch = Type.Object({ isWatched: Type.Boolean() });
