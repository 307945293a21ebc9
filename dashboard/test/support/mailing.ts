import type { Page } from 'playwright-core';
import { type MailServer, startMailServer } from '../../../server/test/support/mail-server.ts';
import { startTestService, type TestService } from './browser.ts';

const PUBLIC_URL = 'http://localhost:1';

/** Starts a service that sends mail, with a public address that its pages do not have. */
export async function startMailingService(): Promise<{ mail: MailServer; mailing: TestService }> {
  const mail = await startMailServer();
  const environment = { SMTP_URL: mail.url, SMTP_FROM: 'tocsin@example.com', PUBLIC_URL };
  return { mail, mailing: await startTestService({ roles: ['management'], environment }) };
}

/** Sends the requests of a page to these addresses with the public origin, which the service demands. */
export async function sendPublicOrigin(page: Page, addresses: string): Promise<void> {
  await page.route(addresses, async (route) => {
    const headers = { ...(await route.request().allHeaders()), origin: PUBLIC_URL };
    await route.fulfill({ response: await route.fetch({ headers }) });
  });
}
