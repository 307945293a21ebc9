import { Tocsin } from '@tocsin/sdk';
import { createShop } from './shop.js';

const { PORT = '3000', FAILURE_RATE = '0.3', TOCSIN_API_KEY = '', TOCSIN_URL } = process.env;

/** One client for the whole process. */
const tocsin = new Tocsin({ apiKey: TOCSIN_API_KEY, ...(TOCSIN_URL && { baseUrl: TOCSIN_URL }) });

const server = createShop({ tocsin, failureRate: Number(FAILURE_RATE) }).listen(
  Number(PORT),
  '127.0.0.1',
  (error) => {
    if (error) throw error;
    const address = server.address();
    console.log(`The shop listens on http://127.0.0.1:${typeof address === 'object' ? address?.port : PORT}`);
  },
);

/** Ends the server, then the client: events reported just before are still delivered. */
function stop() {
  server.close(() => void tocsin.close());
}

process.once('SIGINT', stop);
process.once('SIGTERM', stop);

// An uncaught exception ends the process after it has been reported.
process.once('uncaughtException', (error) => void reportAndEnd(error));

/** @param {Error} error */
async function reportAndEnd(error) {
  console.error(error);
  await tocsin.captureError(error, { correlation: { service: 'Shop' } });
  await tocsin.close();
  process.exit(1);
}
