import { once } from 'node:events';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { rolldown } from 'rolldown';

/* Opens a page of another origin in a Chromium, until its error was sent: `direct`, or through a `tunnel`. */
const { SENTRY_DSN: dsn, CHROMIUM_PATH: executablePath } = process.env;
const { origin, pathname } = new URL(dsn);
const options = {
  dsn,
  release: 'shop@1.4.2',
  environment: 'staging',
  ...(process.argv[2] === 'tunnel' && { tunnel: `${origin}/t${pathname}` }),
};

const bundle = await rolldown({ input: new URL('page.mjs', import.meta.url).pathname });
const { output } = await bundle.generate({ format: 'esm', minify: true });
const server = createServer(({ url }, response) => {
  if (url === '/options') return response.end(JSON.stringify(options));
  const isScript = url === '/page.js';
  response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
  return response.end(isScript ? output[0].code : '<script type="module" src="/page.js"></script>');
}).listen(0, '127.0.0.1');
await once(server, 'listening');

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.goto(`http://localhost:${server.address().port}/`);
await page.waitForFunction(() => document.title === 'Answered with 200');
await browser.close();
server.closeAllConnections();
server.close();
