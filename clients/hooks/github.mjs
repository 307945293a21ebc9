import { sign } from '@octokit/webhooks-methods';
import { send } from './send.mjs';

const repository = { full_name: 'shop/api', default_branch: 'main', html_url: 'https://github.com/shop/api' };
const sender = { login: 'ada' };

async function deliver(event, content, toBody = (json) => json, contentType = 'application/json') {
  const body = toBody(JSON.stringify({ ...content, repository, sender }));
  await send(body, {
    'content-type': contentType,
    'x-github-event': event,
    'x-github-delivery': `delivery-${event}`,
    'x-hub-signature-256': await sign(process.env.HOOK_SECRET, body),
  });
}

await deliver('ping', { zen: 'Design for failure.' });
const workflow_run = {
  name: 'CI',
  head_branch: 'main',
  head_sha: 'abc123',
  conclusion: 'failure',
  html_url: 'https://github.com/shop/api/actions/runs/1',
};
await deliver(
  'workflow_run',
  { action: 'completed', workflow_run },
  (payload) => new URLSearchParams({ payload }).toString(),
  'application/x-www-form-urlencoded',
);
await deliver('deployment_status', {
  action: 'created',
  deployment_status: { state: 'success', environment: 'production' },
  deployment: { ref: 'v1.4.2', sha: 'abc123' },
});
