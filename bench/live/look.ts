import { visit } from '../../dashboard/test/support/browser.ts';
import type { AcceleratedService } from './accelerated-service.ts';
import type { LiveProject } from './live-project.ts';

export interface ShownIncident {
  heading: string;
  severity: string;
  /** Errors of the page. */
  faults: string[];
}

/** Returns what the incident page shows at the time of the service. */
export async function lookAtPage(
  { service, clock }: AcceleratedService,
  { user }: LiveProject,
  { incidentId, picture }: { incidentId: string; picture: string | null },
): Promise<ShownIncident> {
  const { page, context, open, faults } = await visit(service, user, { timezoneId: 'UTC' });
  await page.clock.setFixedTime(new Date(clock.now()));
  await open(`/incidents/${incidentId}`);
  const heading = page.getByRole('heading', { level: 1 });
  await page.getByText('opened', { exact: false }).first().waitFor();
  const severity = page.locator('main header p span[title]').first();
  const shown = {
    heading: (await heading.innerText()).replaceAll(/\s+/g, ' ').trim(),
    severity: (await severity.getAttribute('title')) ?? '',
    faults,
  };
  if (picture !== null) {
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: picture, fullPage: true });
  }
  await context.close();
  return shown;
}
