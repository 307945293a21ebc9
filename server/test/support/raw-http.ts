import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  head: string;
  body: string;
}

/** Sends raw bytes to a service, for requests that no HTTP client would send, and reads one answer. */
export async function sendRaw(baseUrl: string, lines: string[], body = ''): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  const text = await new Promise<string>((resolve, reject) => {
    let received = '';
    const socket = connect({ host: hostname, port: Number(port) }, () =>
      socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`),
    );
    socket.setEncoding('utf8');
    socket.on('data', (chunk) => (received += String(chunk)));
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
  const end = text.indexOf('\r\n\r\n');
  const head = text.slice(0, end);
  return { status: Number(head.split(' ')[1]), head, body: text.slice(end + 4) };
}
