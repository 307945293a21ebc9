import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { atEnd } from './at-end.ts';

interface ReceivedMail {
  from: string;
  to: string[];
  /** Header and body as received. */
  source: string;
  /** Body without the soft line breaks of quoted-printable. */
  text: string;
}

export interface MailServer {
  /** Value for SMTP_URL. */
  url: string;
  received: ReceivedMail[];
  /** Refuses later messages with a code; null accepts them. */
  refuseWith: (code: number | null) => void;
}

/** Starts a mail server that keeps its messages; it stops at the end of the test file. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let refusal: number | null = null;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refusal !== null) {
          done(Object.assign(new Error('No such mailbox'), { responseCode: refusal }));
          return;
        }
        const source = Buffer.concat(chunks).toString('utf8');
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source,
          text: source
            .slice(source.indexOf('\r\n\r\n') + 4)
            .replaceAll('=\r\n', '')
            .replaceAll('=3D', '='),
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    refuseWith: (code) => {
      refusal = code;
    },
  };
}
