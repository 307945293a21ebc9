import type { TestUser } from '../support/service.ts';
import type { ForeignClient } from './clients.ts';

/** A project and its credentials, as a foreign client is set up with them. */
export interface ClientProject {
  id: string;
  number: number;
  apiKey: string;
  organizationId: string;
  /** Access token for releases. */
  token: string;
  /** Token of the address of its hook; empty: it has none. */
  hookToken: string;
}

export async function createClientProject(
  user: TestUser,
  { isBrowser = false, hook }: Partial<ForeignClient>,
): Promise<ClientProject> {
  const { id, apiKey } = await user.createProject();
  const { number } = (await user.api.get(`/projects/${id}`)).body;
  const browserKey = isBrowser && (await user.api.post(`/projects/${id}/api-keys`, { use: 'browser' }));
  const { token } = (await user.api.post('/tokens', { name: 'CI', scopes: ['releases'] })).body;
  const made = hook && (await user.api.post(`/projects/${id}/hooks`, hook)).body;
  return {
    id,
    number,
    apiKey: browserKey ? browserKey.body.rawKey : apiKey,
    organizationId: user.organizationId,
    token,
    hookToken: made?.url.replace(/.*\//, '') ?? '',
  };
}

/** Texts that stand in recordings for values of a project; those of credentials are as long as these. */
const placeholdersOf = ({
  id,
  number,
  apiKey,
  organizationId,
  token,
  hookToken,
}: ClientProject): [string, string][] => [
  [`/hooks/${hookToken}`, '/hooks/{hook}'],
  [apiKey, 'k'.repeat(apiKey.length)],
  [token, 't'.repeat(token.length)],
  [organizationId, '{organization}'],
  [id, '{project}'],
  [`/api/${number}/`, '/api/{number}/'],
  // End of a DSN, and of a path of a tunnel.
  [`/${number}"`, '/{number}"'],
  [`/t/${number}`, '/t/{number}'],
];

/** Puts the placeholders into a text. */
export function withoutProject(text: string, project: ClientProject): string {
  return placeholdersOf(project).reduce((result, [value, name]) => result.replaceAll(value, name), text);
}

/** Puts the values of a project into a text of a recording. */
export function withProject(text: string, project: ClientProject): string {
  return placeholdersOf(project).reduce((result, [value, name]) => result.replaceAll(name, value), text);
}
