/** Links to pages of the dashboard; null without PUBLIC_URL, since nothing else says how it is reached. */
export interface Links {
  incident: (id: string) => string | null;
  group: (id: string) => string | null;
  /** The page of an incident or a group, with a dialog that silences it for four hours once a person confirms. */
  silence: (id: string) => string | null;
}

/** Length that the dialog preselects. */
const SILENCE_LENGTH = '4h';

export function createLinks(publicUrl: URL | null): Links {
  const link = (path: string) => (publicUrl ? new URL(path, publicUrl.origin).href : null);
  return {
    incident: (id) => link(`/app/incidents/${id}`),
    group: (id) => link(`/app/groups/${id}`),
    silence: (id) =>
      link(`/app/${id.startsWith('grp_') ? 'groups' : 'incidents'}/${id}?silence=${SILENCE_LENGTH}`),
  };
}
