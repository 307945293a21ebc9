import { expect, it } from 'vitest';
import { startTestService, visit } from './support/browser.ts';

const service = await startTestService();

it('draws a page in the font that it serves, asks for it once and lets browsers keep it', async () => {
  const { page, open, faults } = await visit(service);
  const answers: { status: number; kept: string | undefined }[] = [];
  page.on('response', (response) => {
    if (!response.url().endsWith('.woff2')) return;
    answers.push({ status: response.status(), kept: response.headers()['cache-control'] });
  });
  await open('/login');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const faces = await page.evaluate(async () => {
    await document.fonts.ready;
    return [...document.fonts]
      .filter(({ family }) => family.replaceAll('"', '') === 'Inter')
      .map(({ status }) => status);
  });
  expect(faces).toEqual(['loaded']);
  expect(answers).toEqual([{ status: 200, kept: 'public, max-age=31536000, immutable' }]);
  expect(faults).toEqual([]);
});
