/**
 * Returns the error middleware: it comes last, answers the customer at once, and reports errors of the server.
 * @param {import('@tocsin/sdk').Tocsin} tocsin
 */
export function reportErrors(tocsin) {
  return (error, request, response, next) => {
    const status = error.status ?? 500;
    if (status >= 500) {
      // Not awaited: the customer does not wait for the report, which never rejects; `close()` at the end waits for it.
      void tocsin.captureError(error, {
        status_code: status,
        // Without the query string, which may hold private data.
        path: request.path,
        method: request.method,
        correlation: { service: 'Shop', ...response.locals.correlation },
      });
    }
    if (response.headersSent) {
      // A part of the answer is sent already: Express closes the connection.
      next(error);
      return;
    }
    response.status(status).json({ error: status >= 500 ? 'Something went wrong.' : error.message });
  };
}
