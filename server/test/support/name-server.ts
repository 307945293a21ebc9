import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { atEnd } from './at-end.ts';

/** Addresses of a name, or its failure: no answer, a server failure, or an unknown name. */
type Answer = { ipv4?: string[]; ipv6?: string[] } | 'silence' | 'failure' | 'no such name';

export interface NameServer {
  /** Address and port. */
  address: string;
  /** Requested names, one entry for each question. */
  asked: string[];
  /** Answers by name; others get `no such name`. */
  answers: Map<string, Answer>;
  /** True to answer no question. */
  isSilent: boolean;
}

const TYPE_IPV4 = 1;
const TYPE_IPV6 = 28;
const RESPONSE_CODES = { failure: 2, 'no such name': 3 } as const;

/** Starts a DNS server (RFC 1035) on a free port of 127.0.0.1, over UDP. */
export async function startNameServer(answers: Record<string, Answer>): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  atEnd(async () => {
    socket.close();
    await once(socket, 'close');
  });
  const server: NameServer = {
    address: `127.0.0.1:${socket.address().port}`,
    asked: [],
    answers: new Map(Object.entries(answers)),
    isSilent: false,
  };
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = readQuestion(question);
    server.asked.push(name);
    const answer = server.answers.get(name) ?? 'no such name';
    if (server.isSilent || answer === 'silence') return;
    socket.send(toResponse(question.subarray(0, end), type, answer), port, address);
  });
  return server;
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function toResponse(question: Buffer, type: number, answer: Exclude<Answer, 'silence'>): Buffer {
  const records =
    typeof answer === 'string'
      ? []
      : type === TYPE_IPV4
        ? (answer.ipv4 ?? []).map((text) => Buffer.from(text.split('.').map(Number)))
        : type === TYPE_IPV6
          ? (answer.ipv6 ?? []).map(ipv6Bytes)
          : [];
  const header = Buffer.from(question);
  header.writeUInt16BE(0x8180 | (typeof answer === 'string' ? RESPONSE_CODES[answer] : 0), 2);
  header.writeUInt16BE(records.length, 6);
  // No authority and no further records, such as the one of EDNS that was asked with.
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, ...records.map((data) => toRecord(data, type))]);
}

/** Returns a record whose name points to that of the question. */
function toRecord(data: Buffer, type: number): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function ipv6Bytes(text: string): Buffer {
  const [head = '', tail = ''] = text.split('::');
  const groups = (part: string) =>
    part === '' ? [] : part.split(':').map((each) => Number.parseInt(each, 16));
  const [left, right] = [groups(head), groups(tail)];
  const bytes = Buffer.alloc(16);
  for (const [index, group] of left.entries()) bytes.writeUInt16BE(group, 2 * index);
  for (const [index, group] of right.entries()) bytes.writeUInt16BE(group, 16 - 2 * (right.length - index));
  return bytes;
}
