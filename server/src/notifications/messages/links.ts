/** Links to pages of the dashboard; null without PUBLIC_URL, since nothing else says how it is reached. */
export interface Links {
  incident: (id: string) => string | null;
  group: (id: string) => string | null;
}

export function createLinks(publicUrl: URL | null): Links {
  const link = (path: string) => (publicUrl ? new URL(path, publicUrl.origin).href : null);
  return {
    incident: (id) => link(`/app/incidents/${id}`),
    group: (id) => link(`/app/groups/${id}`),
  };
}
