import * as Sentry from '@sentry/browser';

// The program that serves the page answers with them.
const client = Sentry.init(await (await fetch('/options')).json());
// A browser shows the status to the client only if the answer allows the origin of the page.
client.on('afterSendEvent', (_event, { statusCode }) => {
  document.title = `Answered with ${statusCode}`;
});
setTimeout(() => {
  throw new TypeError('card is undefined');
});
