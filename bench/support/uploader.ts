import { createHash } from 'node:crypto';
import { Agent, request } from 'node:http';
import { createProject } from './processes.ts';

const BOUNDARY = '------------------------0123456789abcdef';

interface Chunk {
  checksum: string;
  /** Form that brings it. */
  form: Buffer;
}

interface CutBundle {
  checksum: string;
  chunks: Chunk[];
}

/** Signs up an organization that uploads source maps as `sentry-cli` does. */
export async function startUploader(managementUrl: string) {
  const project = await createProject(managementUrl);
  const { cookie } = project;
  const organization = await askJson(`${managementUrl}/organizations/me`, { headers: { cookie } });
  const { token } = await askJson(`${managementUrl}/tokens`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Pipeline', scopes: ['releases'] }),
  });
  const headers = { authorization: `Bearer ${String(token)}` };
  const path = `${managementUrl}/api/0/organizations/${String(organization.id)}`;
  const { chunkSize } = await askJson(`${path}/chunk-upload/`, { headers });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    /** Cuts a bundle into chunks; makes all that is sent, so that sending costs little. */
    cut: (bundle: Buffer): CutBundle => {
      const chunks: Chunk[] = [];
      for (let at = 0; at < bundle.length; at += Number(chunkSize)) {
        const bytes = bundle.subarray(at, at + Number(chunkSize));
        const checksum = sha1(bytes);
        const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${checksum}"\r\n\r\n`;
        const form = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
        chunks.push({ checksum, form });
      }
      return { checksum: sha1(bundle), chunks };
    },
    upload: ({ form }: Chunk) =>
      new Promise<void>((resolve, reject) => {
        const type = `multipart/form-data; boundary=${BOUNDARY}`;
        const options = { method: 'POST', agent, headers: { ...headers, 'content-type': type } };
        const sent = request(`${path}/chunk-upload/`, options, (answer) => {
          answer.resume();
          if (answer.statusCode === 200) answer.once('end', resolve);
          else reject(new Error(`A chunk was answered with ${answer.statusCode}.`));
        });
        sent.once('error', reject);
        sent.end(form);
      }),
    assemble: async ({ checksum, chunks }: CutBundle): Promise<void> => {
      const { state } = await askJson(`${path}/artifactbundle/assemble/`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          checksum,
          chunks: chunks.map((chunk) => chunk.checksum),
          projects: [project.id],
        }),
      });
      if (state !== 'ok') throw new Error(`The bundle is ${String(state)}.`);
    },
  };
}

async function askJson(url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${url} was answered with ${answer.status}: ${await answer.text()}`);
  // The service of the same commit answers in its documented form.
  return (await answer.json()) as Record<string, unknown>;
}

function sha1(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('hex');
}
