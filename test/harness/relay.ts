import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { after } from 'node:test';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

/** A message that a relay accepted. */
export interface RelayedMessage {
  readonly mailFrom: string;
  readonly rcptTo: readonly string[];
  /** The message without SMTP dot-stuffing. */
  readonly raw: Buffer;
  readonly session: SMTPServerSession;
}

/** An error reply of a relay. */
export interface Refusal {
  readonly code: number;
  readonly text: string;
}

/** Reply of a relay to a command: null accepts. A promise delays the reply. */
export type Verdict = Refusal | null | Promise<Refusal | null>;

/** An SMTP server on a free port of the loopback address. */
export interface Relay {
  /** `smtp://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  readonly messages: readonly RelayedMessage[];
  /** Connections made so far. */
  readonly connections: number;
  /** Connections that are open now. */
  readonly openConnections: number;
  /** Accepts everything by default. */
  onMailFrom: (address: string, session: SMTPServerSession) => Verdict;
  onRecipient: (address: string, session: SMTPServerSession) => Verdict;
  /** Called when the whole message has arrived. */
  onMessage: (message: RelayedMessage) => Verdict;
  /** Called with the first bytes of a message. */
  onDataStart: (session: SMTPServerSession) => void;
  /** Closes a session's connection without a reply; its current message is not accepted. */
  cut(session: SMTPServerSession): void;
  close(): Promise<void>;
}

/**
 * Starts a relay, by default without TLS and authentication, on `fixedPort` or a free port; closed after the file's
 * tests.
 */
export async function startRelay(options: SMTPServerOptions = {}, fixedPort = 0): Promise<Relay> {
  const messages: RelayedMessage[] = [];
  const sockets = new Set<Socket>();
  const cut = new WeakSet<SMTPServerSession>();
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 100,
    onMailFrom: ({ address }, session, callback) => answer(relay.onMailFrom(address, session), callback),
    onRcptTo: ({ address }, session, callback) => answer(relay.onRecipient(address, session), callback),
    onData: async (stream, session, callback) => {
      const raw = await readMessage(stream, () => relay.onDataStart(session)).catch(() => null);
      if (raw === null || cut.has(session)) return;
      const { mailFrom, rcptTo } = session.envelope;
      const message = {
        mailFrom: mailFrom === false ? '' : mailFrom.address,
        rcptTo: rcptTo.map(({ address }) => address),
        raw,
        session,
      };
      answer(relay.onMessage(message), (error) => {
        if (!error) messages.push(message);
        callback(error);
      });
    },
    ...options,
  });
  server.server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Some tests close the connection on purpose.
  server.on('error', () => {});
  const listening = server.listen(fixedPort, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const relay: Relay = {
    url: `smtp://127.0.0.1:${port}`,
    port,
    messages,
    get connections() {
      return connections;
    },
    get openConnections() {
      return sockets.size;
    },
    onMailFrom: () => null,
    onRecipient: () => null,
    onMessage: () => null,
    onDataStart: () => {},
    cut(session) {
      cut.add(session);
      for (const socket of sockets) if (socket.remotePort === session.remotePort) socket.destroy();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  after(() => relay.close());
  return relay;
}

async function readMessage(stream: Readable, onStart: () => void): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (chunks.push(chunk) === 1) onStart();
  return Buffer.concat(chunks);
}

async function answer(verdict: Verdict, callback: (error?: Error) => void): Promise<void> {
  const refusal = await verdict;
  if (refusal === null) callback();
  else callback(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
}
