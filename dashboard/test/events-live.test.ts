import { describe, expect, it } from 'vitest';
import { scaled } from '../../server/test/support/time-scale.ts';
import { startTestService } from './support/browser.ts';
import { messages, ORDERS, parameter, row, send, visitEvents } from './support/events.ts';
import { findCovered } from './support/find-covered.ts';

/** Interval in which a list that is not live polls for new events. */
const POLL_MS = 5_000;

const service = await startTestService();
const { page, projectWith } = await visitEvents(service, 5, { hasClock: true });

describe('new events', () => {
  it('holds new events under a bar while the list is scrolled', async () => {
    const { ingest, show } = await projectWith(ORDERS);
    await show();
    await row(page, 'Order 1').waitFor();
    await send(
      service,
      ingest,
      Array.from({ length: 12 }, (_, index) => ({ message: `Latecomer ${index}` })),
    );
    await page.clock.fastForward(POLL_MS);
    const bar = page.getByRole('button', { name: '12 new' });
    await bar.waitFor();
    expect(await row(page, 'Latecomer').count()).toBe(0);
    await bar.click();
    await expect.poll(() => row(page, 'Latecomer').count()).toBe(12);
    await bar.waitFor({ state: 'detached' });
    expect(await messages(page)).toHaveLength(16);
  });

  it('adds matching events on top as they arrive while the tail is live', async () => {
    const { ingest, show } = await projectWith(ORDERS);
    await show('&severity=error');
    await row(page, 'Order 2').waitFor();
    await page.getByRole('button', { name: 'Live', exact: true }).click();
    await expect.poll(() => parameter(page, 'live')).toBe('true');
    await send(service, ingest, [
      { message: 'Card was refused', severity: 'ERROR' },
      { message: 'Nothing happened', severity: 'INFO' },
    ]);
    await row(page, 'Card was refused').waitFor();
    expect(await messages(page)).toEqual(['Card was refused', 'Order 2 was declined']);
  });

  it('holds new events while the live tail is paused, and shows them when it resumes', async () => {
    const { ingest, show } = await projectWith(ORDERS);
    await show('&live=true');
    await row(page, 'Order 1').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await send(service, ingest, [{ message: 'Meanwhile' }]);
    await page.getByRole('button', { name: '1 new' }).waitFor();
    expect(await row(page, 'Meanwhile').count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await row(page, 'Meanwhile').waitFor();
  });

  it('holds new events of the live tail while the pointer is over the list, covering no row', async () => {
    const { ingest, show } = await projectWith(ORDERS);
    await show('&live=true');
    await row(page, 'Order 1').hover();
    await send(service, ingest, [{ message: 'Meanwhile' }]);
    const bar = page.getByRole('button', { name: '1 new' });
    await bar.waitFor();
    expect(await row(page, 'Meanwhile').count()).toBe(0);
    expect(await findCovered(row(page, 'Order'), bar)).toEqual([]);
    await page.mouse.move(5, 5);
    await row(page, 'Meanwhile').waitFor();
    expect(await bar.count()).toBe(0);
  });

  it('shows the number of new events if there are too many to read', async () => {
    const { ingest, show } = await projectWith(ORDERS);
    await show('&live=true');
    await row(page, 'Order 1').waitFor();
    // The live tail begins some time after its request: its first event shows that it has.
    await expect
      .poll(
        async () => {
          await send(
            service,
            ingest,
            Array.from({ length: 2_000 }, (_, index) => ({ message: `Flood ${index}` })),
          );
          return page.getByText(/^[\d,]+ skipped$/).count();
        },
        { timeout: scaled(20_000), interval: 1_500 },
      )
      .toBe(1);
    await row(page, 'Flood').first().waitFor();
  });
});
