/**
 * The SMTP receiver that bounces, feedback reports and mailto unsubscribes come to (RFC 5321). It takes mail for
 * addresses of ours only, answers nothing by mail, and says 250 when what a message means has been recorded.
 */
import { once } from 'node:events';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

/** Mail that came in. */
export interface ReceivedMail {
  /** Accepted recipients, as they were written. */
  readonly recipients: readonly string[];
  /** Whether the envelope's sender was empty, as it is for notifications. */
  readonly isFromNobody: boolean;
  /** The message, or its beginning when it is large: reports come before what they report about. */
  readonly raw: Buffer;
}

/** What the receiver is told. */
export interface BounceReceiverOptions {
  readonly host: string;
  /** 0 lets the system pick one. */
  readonly port: number;
  /** Whether mail to this address is taken at all. */
  readonly accepts: (address: string) => boolean;
  /** Records what a mail means; when it rejects, the sender is asked to come again later. */
  readonly take: (mail: ReceivedMail) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** A receiver that listens. */
export interface BounceReceiver {
  readonly port: number;
  /** Takes no new mail, finishes what is being recorded, and lets connections go after a few seconds at most. */
  close(): Promise<void>;
}

/** Announced (RFC 1870); a bounce may hold the message it is about, attachments included. */
const MAX_BYTES = 40 * 1024 * 1024;
/** What is kept of a message. */
const MAX_KEPT_BYTES = 512 * 1024;
const MAX_CLIENTS = 100;
const MAX_RECIPIENTS = 50;
const IDLE_MS = 60_000;
const CLOSE_MS = 3_000;

/** Starts to listen. @throws when the port is taken. */
export async function startBounceReceiver(options: BounceReceiverOptions): Promise<BounceReceiver> {
  const underWay = new Set<Promise<void>>();
  const server = new SMTPServer({
    banner: 'Tessera',
    authOptional: true,
    // The library would offer TLS with a key that everybody knows.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    size: MAX_BYTES,
    maxClients: MAX_CLIENTS,
    socketTimeout: IDLE_MS,
    closeTimeout: CLOSE_MS,
    onRcptTo: ({ address }, { envelope }, callback) => {
      if (envelope.rcptTo.length >= MAX_RECIPIENTS) callback(refusal(452, '4.5.3 Too many recipients'));
      else if (options.accepts(address)) callback();
      else callback(refusal(550, '5.1.1 No such address here'));
    },
    onData: (stream, { envelope }, callback) => {
      const { mailFrom, rcptTo } = envelope;
      const recipients = rcptTo.map(({ address }) => address);
      const isFromNobody = mailFrom === false || mailFrom.address === '';
      const work = receive(stream, { recipients, isFromNobody }, options).then(callback);
      underWay.add(work);
      work.finally(() => underWay.delete(work));
    },
  });
  // Connections that break are the other side's; a port that is taken is told below.
  server.on('error', () => {});
  const listening = server.listen(options.port, options.host);
  await once(listening, 'listening');
  const address = listening.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all(underWay);
      await closed;
    },
  };
}

/** What to answer: nothing when all went well. */
async function receive(
  stream: SMTPServerDataStream,
  envelope: Omit<ReceivedMail, 'raw'>,
  { take, onError }: BounceReceiverOptions,
): Promise<Error | undefined> {
  const chunks: Buffer[] = [];
  let kept = 0;
  try {
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk) || kept >= MAX_KEPT_BYTES) continue;
      chunks.push(chunk);
      kept += chunk.length;
    }
    if (stream.sizeExceeded) return refusal(552, '5.3.4 The message is too large');
    await take({ ...envelope, raw: Buffer.concat(chunks).subarray(0, MAX_KEPT_BYTES) });
    return undefined;
  } catch (error) {
    onError(error);
    return refusal(451, '4.3.0 Not recorded, please come again');
  }
}

function refusal(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
