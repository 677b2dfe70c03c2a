/** An SMTP session: one connection to a relay (RFC 5321), with one message at a time. */
import { isAscii } from 'node:buffer';
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { RelayConnection } from './relay-connection.ts';

/** Address of the relay and the login. */
export interface SessionOptions {
  readonly relay: SMTPConnection.Options;
  readonly login: { readonly user: string; readonly pass: string } | null;
  /** Time after which an idle connection closes, in ms. */
  readonly idleMs: number;
}

/** The addresses of MAIL FROM and RCPT TO. */
export interface Envelope {
  readonly from: string;
  readonly to: string;
}

/** Thrown when a reused connection is lost before any byte of the message was sent; send it on another connection. */
export class NothingSentError extends Error {}

/**
 * Thrown when an address or a header field has non-ASCII characters and the relay does not support them (SMTPUTF8, RFC
 * 6531). The message names the address or field.
 */
export class UnsupportedAddressError extends Error {}

const NON_ASCII = /[^\x20-\x7e]/;

/** Error codes of the library for a rejected message; the connection stays usable. */
const REJECTION_CODES = new Set<unknown>(['EENVELOPE', 'EMESSAGE']);
/** Error codes of the library for a lost connection. */
const CONNECTION_LOSS_CODES = new Set<unknown>(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT']);
const SLICE_BYTES = 64 * 1024;
/** Reply code of a relay that is about to close the connection. */
const CLOSING = 421;

/** A session whose connection opens with its first message. */
export class SmtpSession {
  /** Number of messages given to this connection so far. */
  messages = 0;
  readonly #options: SessionOptions;
  readonly #connection: RelayConnection;
  readonly #idleTimer: NodeJS.Timeout;
  /** Rejects the step in progress. */
  #fail: (error: Error) => void = () => {};
  /** Null until the connection is open; then the step that the next message waits for. */
  #ready: Promise<void> | null = null;
  #isBusy = false;
  #message: Readable | null = null;

  /** Creates an unopened connection. `onEnd` is called once, when the connection closes for any reason. */
  constructor(options: SessionOptions, onEnd: (session: SmtpSession) => void) {
    this.#options = options;
    this.#connection = new RelayConnection(options.relay);
    this.#connection.on('error', (error) => this.#fail(error));
    this.#connection.once('end', () => {
      clearTimeout(this.#idleTimer);
      this.#fail(Object.assign(new Error('The connection ended'), { code: 'ECONNECTION' }));
      onEnd(this);
    });
    this.#idleTimer = setTimeout(() => this.#isBusy || this.quit(), options.idleMs).unref();
  }

  /** True once the connection is open and logged in. */
  get isOpen(): boolean {
    return this.#ready !== null;
  }

  /** True if content of the latest message was sent: the relay may have accepted it even if sending failed. */
  get hasBodyStarted(): boolean {
    return this.#message?.readableDidRead ?? false;
  }

  /**
   * Sends a message. Returns the relay's reply.
   * @throws NothingSentError, UnsupportedAddressError or an error of the library with the relay's reply.
   */
  async send(envelope: Envelope, mime: Buffer): Promise<string> {
    const isReused = this.#ready !== null;
    this.messages += 1;
    this.#isBusy = true;
    // A stream records whether it was read from.
    const message = Readable.from(slicesOf(mime), { objectMode: false });
    this.#message = message;
    try {
      await (this.#ready ?? this.#open());
      this.#checkAddresses(envelope, mime);
      return await this.#sendMessage(envelope, message);
    } catch (error) {
      if (isRejection(error)) this.#ready = this.#reset();
      else if (!(error instanceof UnsupportedAddressError)) this.#connection.close();
      if (isReused && !this.hasBodyStarted && isConnectionLoss(error)) throw new NothingSentError();
      throw error;
    } finally {
      this.#isBusy = false;
      this.#idleTimer.refresh();
    }
  }

  /** Closes the connection with QUIT. Call it only while no message is in progress. */
  quit(): void {
    this.#connection.quit();
    this.#connection.close();
  }

  /** Closes the connection at once; the message in progress fails with this error. */
  close(error: Error): void {
    this.#fail(error);
    this.#connection.close();
  }

  async #open(): Promise<void> {
    await this.#step((done) => this.#connection.connect((error) => done(error, null)));
    const { login } = this.#options;
    const allowsAuth: unknown = Reflect.get(this.#connection, 'allowsAuth');
    if (login !== null && allowsAuth) {
      const credentials = { ...login };
      await this.#step((done) => this.#connection.login({ credentials }, (error) => done(error, null)));
    }
    this.#ready = Promise.resolve();
  }

  /** Rejects non-ASCII addresses that the relay does not support. The library sends them to any relay. */
  #checkAddresses({ from, to }: Envelope, mime: Buffer): void {
    const address = [from, to].find((each) => NON_ASCII.test(each)) ?? null;
    const international = address ?? internationalField(mime);
    if (international !== null && !this.#connection.supports('SMTPUTF8'))
      throw new UnsupportedAddressError(international);
    this.#connection.addsUtf8 = address === null && international !== null;
  }

  async #sendMessage({ from, to }: Envelope, message: Readable): Promise<string> {
    const { response } = await this.#step<SMTPConnection.SentMessageInfo>((done) =>
      this.#connection.send({ from, to }, message, done),
    );
    return response;
  }

  /** Resets the session after a rejected message. Closes the connection if that fails. */
  async #reset(): Promise<void> {
    try {
      await this.#step((done) => this.#connection.reset((error) => done(error, null)));
    } catch {
      this.#connection.close();
    }
  }

  #step<Result>(
    begin: (done: (error: Error | null | undefined, result: Result) => void) => void,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      begin((error, result) => (error ? reject(error) : resolve(result)));
    });
  }
}

/** Returns the first header field with an unencoded non-ASCII character, on one line. */
function internationalField(mime: Buffer): string | null {
  const header = mime.subarray(0, Math.max(mime.indexOf('\r\n\r\n'), 0));
  if (isAscii(header)) return null;
  const fields = header
    .toString()
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n');
  return fields.find((field) => /\P{ASCII}/u.test(field)) ?? null;
}

/** Splits the message, because the library scans each chunk synchronously and blocks the event loop meanwhile. */
function* slicesOf(mime: Buffer): Generator<Buffer> {
  for (let at = 0; at < mime.length; at += SLICE_BYTES) yield mime.subarray(at, at + SLICE_BYTES);
}

function isRejection(error: unknown): boolean {
  return REJECTION_CODES.has(read(error, 'code')) && read(error, 'responseCode') !== CLOSING;
}

function isConnectionLoss(error: unknown): boolean {
  return CONNECTION_LOSS_CODES.has(read(error, 'code')) || read(error, 'responseCode') === CLOSING;
}

function read(error: unknown, name: string): unknown {
  return error instanceof Error ? Reflect.get(error, name) : undefined;
}
