/** One connection to a relay (RFC 5321), with one message at a time. */
import { Readable } from 'node:stream';
import SMTPConnection from 'nodemailer/lib/smtp-connection';

/** How to reach the relay, and as whom. */
export interface LinkOptions {
  readonly relay: SMTPConnection.Options;
  readonly login: { readonly user: string; readonly pass: string } | null;
  /** How long it stays open with nothing to do, milliseconds. */
  readonly idleMs: number;
}

/** The addresses of MAIL FROM and RCPT TO. */
export interface Envelope {
  readonly from: string;
  readonly to: string;
}

/** A connection that had served before was lost before a byte of the message left: another one may take it. */
export class NothingSentError extends Error {}

/** An address has letters beyond ASCII before its @, and the relay takes none such (RFC 6531). */
export class UnsupportedAddressError extends Error {}

const BEYOND_ASCII = /[^\x20-\x7e]/;

/** The library's codes for a no to the message, after which the connection is as good as before. */
const REFUSALS = new Set<unknown>(['EENVELOPE', 'EMESSAGE']);
/** The library's codes for a lost connection. */
const LOSSES = new Set<unknown>(['ECONNECTION', 'ESOCKET', 'ETIMEDOUT']);
const SLICE_BYTES = 64 * 1024;
/** The relay is about to close the connection. */
const CLOSING = 421;

/** A connection; it opens with its first message. */
export class SmtpLink {
  /** How many it was given so far. */
  messages = 0;
  readonly #options: LinkOptions;
  readonly #connection: SMTPConnection;
  readonly #idle: NodeJS.Timeout;
  /** Fails the step that is under way. */
  #fail: (error: Error) => void = () => {};
  /** Null until it is open; then what the next message must wait for. */
  #ready: Promise<void> | null = null;
  #isBusy = false;
  #message: Readable | null = null;

  /** `onEnd` is called once, however it ends. */
  constructor(options: LinkOptions, onEnd: (link: SmtpLink) => void) {
    this.#options = options;
    this.#connection = new SMTPConnection(options.relay);
    this.#connection.on('error', (error) => this.#fail(error));
    this.#connection.once('end', () => {
      clearTimeout(this.#idle);
      this.#fail(Object.assign(new Error('The connection ended'), { code: 'ECONNECTION' }));
      onEnd(this);
    });
    this.#idle = setTimeout(() => this.#isBusy || this.quit(), options.idleMs).unref();
  }

  /** True once the relay has let it in. */
  get isOpen(): boolean {
    return this.#ready !== null;
  }

  /** Whether any of the latest message, beyond its envelope, was written: the relay may have it, whatever followed. */
  get isBodyBegun(): boolean {
    return this.#message?.readableDidRead ?? false;
  }

  /**
   * Hands a message over; the relay's words.
   * @throws NothingSentError, or an error of the library that tells what the relay said.
   */
  async send(envelope: Envelope, mime: Buffer): Promise<string> {
    const isReused = this.#ready !== null;
    this.messages += 1;
    this.#isBusy = true;
    // A stream tells whether any of it was read.
    const message = Readable.from(slicesOf(mime), { objectMode: false });
    this.#message = message;
    try {
      await (this.#ready ?? this.#open());
      return await this.#handOver(envelope, message);
    } catch (error) {
      if (isRefusal(error)) this.#ready = this.#reset();
      else if (!(error instanceof UnsupportedAddressError)) this.#connection.close();
      if (isReused && !this.isBodyBegun && isLoss(error)) throw new NothingSentError();
      throw error;
    } finally {
      this.#isBusy = false;
      this.#idle.refresh();
    }
  }

  /** Ends it politely; only while it has no message. */
  quit(): void {
    this.#connection.quit();
    this.#connection.close();
  }

  /** Ends it at once; what is under way fails with this error. */
  close(error: Error): void {
    this.#fail(error);
    this.#connection.close();
  }

  async #open(): Promise<void> {
    await this.#step((done) => this.#connection.connect((error) => done(error, null)));
    const { login } = this.#options;
    const isAsked: unknown = Reflect.get(this.#connection, 'allowsAuth');
    if (login !== null && isAsked) {
      const credentials = { ...login };
      await this.#step((done) => this.#connection.login({ credentials }, (error) => done(error, null)));
    }
    this.#ready = Promise.resolve();
  }

  async #handOver({ from, to }: Envelope, message: Readable): Promise<string> {
    // The library would send the address all the same, and the relay might lose it.
    const beyond = [from, to].find((address) => BEYOND_ASCII.test(address));
    if (beyond !== undefined && !this.#supports('SMTPUTF8')) throw new UnsupportedAddressError(beyond);
    const { response } = await this.#step<SMTPConnection.SentMessageInfo>((done) =>
      this.#connection.send({ from, to }, message, done),
    );
    return response;
  }

  #supports(extension: string): boolean {
    const extensions: unknown = Reflect.get(this.#connection, '_supportedExtensions');
    return Array.isArray(extensions) && extensions.includes(extension);
  }

  /** After a refusal, for the next message; a connection that cannot be is ended, as the next message will find. */
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

/** The library looks at every octet of what it is handed at once, and nobody else is served meanwhile. */
function* slicesOf(mime: Buffer): Generator<Buffer> {
  for (let at = 0; at < mime.length; at += SLICE_BYTES) yield mime.subarray(at, at + SLICE_BYTES);
}

function isRefusal(error: unknown): boolean {
  return REFUSALS.has(read(error, 'code')) && read(error, 'responseCode') !== CLOSING;
}

function isLoss(error: unknown): boolean {
  return LOSSES.has(read(error, 'code')) || read(error, 'responseCode') === CLOSING;
}

function read(error: unknown, name: string): unknown {
  return error instanceof Error ? Reflect.get(error, name) : undefined;
}
