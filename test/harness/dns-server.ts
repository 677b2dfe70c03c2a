/** A DNS server (RFC 1035, over UDP) with the records of a test. */
import { createSocket, type Socket } from 'node:dgram';
import { after } from 'node:test';

const TYPES = { CNAME: 5, MX: 15, TXT: 16 } as const;
const CLASS_IN = 1;
const NO_ERROR = 0;
const NAME_ERROR = 3;
const HEADER_BYTES = 12;
const TYPE_AND_CLASS_BYTES = 4;
const MAX_STRING_BYTES = 255;
/** Pointer to the question's name (section 4.1.4). */
const POINTER_TO_QUESTION = Buffer.from([0xc0, HEADER_BYTES]);

/** A record in zone file notation: an MX value is `10 mail.example.com`, or `0 .` for a null MX. */
export interface ZoneRecord {
  readonly type: keyof typeof TYPES;
  readonly name: string;
  readonly value: string;
}

/** A DNS server on a free port of the loopback address. */
export interface DnsServer {
  /** Value for DNS_SERVERS. */
  readonly address: string;
  readonly port: number;
  /** Records; any other name does not exist. */
  records: readonly ZoneRecord[];
  /** Overrides the records: returns the datagram to send, or null to send none. */
  override: ((query: Buffer) => Buffer | null) | null;
  /** Queried names, in lower case. */
  readonly queriedNames: string[];
}

/** Starts a server; it is closed after the file's tests. */
export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  after(() => socket.close());
  const { port } = socket.address();
  const server: DnsServer = {
    address: `127.0.0.1:${port}`,
    port,
    records: [],
    override: null,
    queriedNames: [],
  };
  socket.on('message', (query, from) => {
    const answer = server.override ? server.override(query) : answerTo(query, server);
    if (answer) reply(socket, answer, from.port, from.address);
  });
  return server;
}

/** Returns a response without records and with this code: 2 for a server failure, 5 for a refusal. */
export function answerWithCode(query: Buffer, code: number): Buffer {
  return message(query, readQuestion(query).bytes, code, []);
}

function reply(socket: Socket, answer: Buffer, port: number, address: string): void {
  // The resolver may have timed out and closed its socket.
  socket.send(answer, port, address, () => undefined);
}

function answerTo(query: Buffer, { records, queriedNames }: DnsServer): Buffer {
  const question = readQuestion(query);
  queriedNames.push(question.name);
  const ofName = records.filter(({ name }) => name.toLowerCase() === question.name);
  const found = ofName.filter(({ type }) => TYPES[type] === question.type);
  return message(query, question.bytes, ofName.length === 0 ? NAME_ERROR : NO_ERROR, found.map(encodeRecord));
}

function message(query: Buffer, question: Buffer, code: number, answers: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  // An authoritative answer to a recursive question.
  header.writeUInt16BE(0x8580 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, question, ...answers]);
}

function readQuestion(query: Buffer): { name: string; type: number; bytes: Buffer } {
  const labels: string[] = [];
  let offset = HEADER_BYTES;
  for (let length = query.readUInt8(offset); length > 0; length = query.readUInt8(offset)) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length).toLowerCase());
    offset += 1 + length;
  }
  const end = offset + 1 + TYPE_AND_CLASS_BYTES;
  return {
    name: labels.join('.'),
    type: query.readUInt16BE(offset + 1),
    bytes: query.subarray(HEADER_BYTES, end),
  };
}

function encodeRecord({ type, value }: ZoneRecord): Buffer {
  const data = encodeData(type, value);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(TYPES[type], 0);
  fixed.writeUInt16BE(CLASS_IN, 2);
  fixed.writeUInt32BE(300, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([POINTER_TO_QUESTION, fixed, data]);
}

function encodeData(type: ZoneRecord['type'], value: string): Buffer {
  if (type === 'TXT') return encodeStrings(Buffer.from(value));
  if (type === 'CNAME') return encodeName(value);
  const [preference = '0', exchange = '.'] = value.split(' ');
  const priority = Buffer.alloc(2);
  priority.writeUInt16BE(Number(preference));
  return Buffer.concat([priority, encodeName(exchange)]);
}

function encodeStrings(text: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let start = 0; start === 0 || start < text.length; start += MAX_STRING_BYTES) {
    const part = text.subarray(start, start + MAX_STRING_BYTES);
    parts.push(Buffer.from([part.length]), part);
  }
  return Buffer.concat(parts);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').filter((label) => label !== '');
  const bytes = labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([...bytes, Buffer.from([0])]);
}
