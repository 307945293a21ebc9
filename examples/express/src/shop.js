import { randomUUID } from 'node:crypto';
import express from 'express';
import { chargeCard } from './payments.js';
import { reportErrors } from './report-errors.js';

const PRICES = { bell: 4200, rope: 900, hammer: 1500 };

/**
 * Creates the shop as an Express application.
 * @param {{ tocsin: import('@tocsin/sdk').Tocsin, failureRate: number }} options
 */
export function createShop({ tocsin, failureRate }) {
  const shop = express();
  shop.use(express.json());

  shop.get('/', (_request, response) => {
    response.json(PRICES);
  });

  shop.post('/checkout', async (request, response) => {
    const { items = [], customer } = request.body ?? {};
    if (!Array.isArray(items) || items.length === 0 || !items.every((item) => Object.hasOwn(PRICES, item))) {
      response.status(400).json({ error: `Items are some of ${Object.keys(PRICES).join(', ')}.` });
      return;
    }
    const order = { id: `ord_${randomUUID()}`, total: items.reduce((sum, item) => sum + PRICES[item], 0) };
    // All events about this order have its id, so that one search finds them.
    response.locals.correlation = { order_id: order.id, ...(customer && { customer_id: String(customer) }) };

    // Its errors reach the error middleware: Express 5 waits for the promise.
    await chargeCard(order, failureRate);
    void tocsin.capture({
      type: 'order.paid',
      severity: 'info',
      message: 'An order was paid',
      source: 'Shop',
      correlation: response.locals.correlation,
      payload: { total: order.total, items: items.length },
    });
    response.status(201).json(order);
  });

  shop.use(reportErrors(tocsin));
  return shop;
}
