/**
 * The error middleware: comes last, answers the customer at once, and reports what is the server's fault.
 * @param {import('@tocsin/sdk').Tocsin} tocsin
 */
export function reportErrors(tocsin) {
  return (error, request, response, next) => {
    const status = error.status ?? 500;
    if (status >= 500) {
      // Not awaited: the customer does not wait for it, and it never rejects. `close()` at the end does wait.
      void tocsin.captureError(error, {
        status_code: status,
        // Without the query string, which may hold private data.
        path: request.path,
        method: request.method,
        correlation: { service: 'shop', ...response.locals.correlation },
      });
    }
    if (response.headersSent) {
      // The answer is half sent: Express cuts the connection.
      next(error);
      return;
    }
    response.status(status).json({ error: status >= 500 ? 'Something went wrong.' : error.message });
  };
}
