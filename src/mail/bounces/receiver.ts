/**
 * The SMTP receiver for bounces, feedback reports and mailto unsubscribes (RFC 5321). It accepts mail for our own
 * addresses only and never sends mail. It replies 250 after it has recorded what a message reports.
 */
import { once } from 'node:events';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

/** Received mail. */
export interface ReceivedMail {
  /** Accepted recipients, as written in the envelope. */
  readonly recipients: readonly string[];
  /** True if the envelope sender was empty, as for notifications. */
  readonly hasNullSender: boolean;
  /** The message, or the beginning of a large one: a report precedes the message that it quotes. */
  readonly raw: Buffer;
}

/** Options of the receiver. */
export interface BounceReceiverOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Returns true if mail to this address is accepted. */
  readonly accepts: (address: string) => boolean;
  /** Records what a mail reports. If it rejects, the receiver asks the sender to retry. */
  readonly record: (mail: ReceivedMail) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** A listening receiver. */
export interface BounceReceiver {
  readonly port: number;
  /** Refuses new mail, finishes the mails in progress, and closes connections after a few seconds at most. */
  close(): Promise<void>;
}

/** Announced size limit (RFC 1870); a bounce may contain the original message with its attachments. */
const MAX_BYTES = 40 * 1024 * 1024;
/** Bytes read of a message; the rest is discarded. */
const MAX_READ_BYTES = 512 * 1024;
const MAX_CLIENTS = 100;
const MAX_RECIPIENTS = 50;
const IDLE_MS = 60_000;
const CLOSE_MS = 3_000;

/** Starts the receiver. @throws when the port is in use. */
export async function startBounceReceiver(options: BounceReceiverOptions): Promise<BounceReceiver> {
  const inProgress = new Set<Promise<void>>();
  const server = new SMTPServer({
    banner: 'Tessera',
    authOptional: true,
    // The library would offer TLS with its public default key.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    // Senders have addresses such as `a..b@x.example`, and hosts with underscores.
    lenientAddressParsing: true,
    logger: false,
    size: MAX_BYTES,
    maxClients: MAX_CLIENTS,
    socketTimeout: IDLE_MS,
    closeTimeout: CLOSE_MS,
    onRcptTo: ({ address }, { envelope }, callback) => {
      if (envelope.rcptTo.length >= MAX_RECIPIENTS) callback(smtpError(452, '4.5.3 Too many recipients'));
      else if (options.accepts(address)) callback();
      else callback(smtpError(550, '5.1.1 No such address here'));
    },
    onData: (stream, { envelope }, callback) => {
      const { mailFrom, rcptTo } = envelope;
      const recipients = rcptTo.map(({ address }) => address);
      const hasNullSender = mailFrom === false || mailFrom.address === '';
      const work = receive(stream, { recipients, hasNullSender }, options).then(callback);
      inProgress.add(work);
      work.finally(() => inProgress.delete(work));
    },
  });
  // Ignore broken connections of clients; `once` below rejects if the port is in use.
  server.on('error', () => {});
  const listening = server.listen(options.port, options.host);
  await once(listening, 'listening');
  const address = listening.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all(inProgress);
      await closed;
    },
  };
}

/** Receives one mail. Returns the error to reply with, or undefined on success. */
async function receive(
  stream: SMTPServerDataStream,
  envelope: Omit<ReceivedMail, 'raw'>,
  { record, onError }: BounceReceiverOptions,
): Promise<Error | undefined> {
  const chunks: Buffer[] = [];
  let readBytes = 0;
  try {
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk) || readBytes >= MAX_READ_BYTES) continue;
      chunks.push(chunk);
      readBytes += chunk.length;
    }
    if (stream.sizeExceeded) return smtpError(552, '5.3.4 The message is too large');
    await record({ ...envelope, raw: Buffer.concat(chunks).subarray(0, MAX_READ_BYTES) });
    return undefined;
  } catch (error) {
    onError(error);
    return smtpError(451, '4.3.0 The message could not be recorded, try again later');
  }
}

function smtpError(responseCode: number, text: string): Error {
  return Object.assign(new Error(text), { responseCode });
}
