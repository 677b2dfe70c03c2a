/** Sends messages to a relay over pooled connections (RFC 5321). */
import { BlockList, isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { storable } from '../db/storable.ts';
import { asciiAddress, isAddress } from './address.ts';
import { refusedPart } from './bounces/bounce-kinds.ts';
import { classifyBounce } from './bounces/classify.ts';
import { enhancedStatusIn } from './bounces/enhanced-status.ts';
import { DeadlineError, SmtpPool } from './smtp-pool.ts';
import { type Envelope, UnsupportedAddressError } from './smtp-session.ts';
import type { MailTransport, SendResult } from './transport.ts';

/** Longest time from `send` to its result, in ms. */
const SEND_DEADLINE_MS = 60_000;

/** Pool size and timeouts, in ms. */
export interface SmtpTransportOptions {
  readonly connections: number;
  /** Name in the EHLO greeting. */
  readonly ehloName?: string;
  /** Timeout of connecting, greeting and the TLS handshake. */
  readonly connectMs?: number;
  readonly deadlineMs?: number;
  /** Time that `close` waits for messages in progress. */
  readonly drainMs?: number;
}

/** Characters stored of a relay's reply, which may have any number of lines. */
const MAX_REPLY = 1000;
/** Messages after which a connection closes. Some relays want clients to reconnect from time to time. */
const MESSAGES_PER_CONNECTION = 1000;
/** Less than the five minutes after which a relay may close an idle session (RFC 5321 section 4.5.3.2). */
const IDLE_MS = 4 * 60_000;

/**
 * Creates a transport to the relay of `url`. A plain connection uses STARTTLS if the relay offers it. With a password
 * STARTTLS is required, because an attacker could remove the offer; `?tls=optional` lifts this.
 * The certificate is verified with smtps or a password, except on a loopback address. Otherwise an unverified
 * certificate is better than no encryption (RFC 7435).
 */
export function createSmtpTransport(url: string, options: SmtpTransportOptions): MailTransport {
  const { connections, connectMs = 10_000, deadlineMs = SEND_DEADLINE_MS, drainMs = 5_000 } = options;
  const { secure, host, port, auth, isTlsOptional } = readUrl(url);
  const pool = new SmtpPool({
    relay: {
      host,
      secure,
      ...(options.ehloName === undefined ? {} : { name: options.ehloName }),
      requireTLS: auth !== null && !isTlsOptional && !isLoopback(host),
      ...(port === null ? {} : { port }),
      tls: { rejectUnauthorized: (secure || auth !== null) && !isLoopback(host) },
      connectionTimeout: connectMs,
      greetingTimeout: connectMs,
      dnsTimeout: connectMs,
      socketTimeout: deadlineMs,
    },
    login: auth,
    idleMs: IDLE_MS,
    connections,
    messagesPerConnection: MESSAGES_PER_CONNECTION,
  });
  const inProgress = new Set<Promise<SendResult>>();
  let closing: Promise<void> | null = null;

  const sendToRelay = async (envelope: Envelope, mime: Buffer): Promise<SendResult> => {
    const outcome = await pool.send(envelope, mime, deadlineMs);
    if ('reply' in outcome) return { kind: 'sent', reply: storableText(outcome.reply) };
    const { error, hasBodyStarted } = outcome;
    return error instanceof DeadlineError
      ? { kind: 'unavailable', error: `no reply from the relay within ${deadlineMs} ms`, hasBodyStarted }
      : toSendResult(error, hasBodyStarted);
  };
  const drain = async () => {
    await Promise.race([Promise.all(inProgress), pause(drainMs, undefined, { ref: false })]);
    pool.close();
    await Promise.all(inProgress);
  };
  return {
    async send(_tenantId, { envelope }, mime) {
      if (closing)
        return { kind: 'unavailable', error: 'the process is shutting down', hasBodyStarted: false };
      if (!isAddress(envelope.from)) return rejectAddress('sender', envelope.from);
      if (!isAddress(envelope.to)) return rejectAddress('recipient', envelope.to);
      const sending = sendToRelay({ from: asciiAddress(envelope.from), to: asciiAddress(envelope.to) }, mime);
      inProgress.add(sending);
      const result = await sending;
      inProgress.delete(sending);
      return result;
    },
    close() {
      closing ??= drain();
      return closing;
    },
  };
}

function readUrl(text: string) {
  const url = new URL(text);
  const user = decodeURIComponent(url.username);
  return {
    secure: url.protocol === 'smtps:',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? null : Number(url.port),
    auth: user === '' ? null : { user, pass: decodeURIComponent(url.password) },
    isTlsOptional: url.searchParams.get('tls') === 'optional',
  };
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

function isLoopback(host: string): boolean {
  const family = isIP(host);
  return family === 0
    ? /^(.+\.)?localhost$/i.test(host)
    : loopback.check(host, family === 6 ? 'ipv6' : 'ipv4');
}

type RefusedPart = Extract<SendResult, { kind: 'rejected' }>['refused'];

/** Commands whose replies concern one message, and the part of the message that each concerns. */
const MESSAGE_COMMANDS: ReadonlyMap<unknown, RefusedPart> = new Map([
  ['MAIL FROM', 'sender'],
  ['RCPT TO', 'recipient'],
  ['DATA', 'message'],
]);
/** Reply codes that concern the session even in reply to these commands: closing, wrong order, not authenticated. */
const SESSION_CODES = new Set([421, 503, 530, 534, 535, 538]);

/** Rejects an invalid address before the library can reinterpret it. */
function rejectAddress(refused: RefusedPart, text: string): SendResult {
  const reply = `553 5.1.3 ${JSON.stringify(text)} is not a valid email address`;
  return { kind: 'rejected', refused, code: 553, reply, permanent: true };
}

function toSendResult(error: unknown, hasBodyStarted: boolean): SendResult {
  if (error instanceof UnsupportedAddressError) {
    const reply = `550 5.6.7 The relay does not support addresses with non-ASCII characters (SMTPUTF8): ${error.message}`;
    return { kind: 'rejected', refused: 'address', code: 550, reply: storableText(reply), permanent: true };
  }
  const fault: object = error instanceof Error ? error : {};
  const read = (name: string): unknown => Reflect.get(fault, name);
  const [code, response, command] = [read('responseCode'), read('response'), read('command')];
  const message = error instanceof Error ? error.message : String(error);
  const refused = MESSAGE_COMMANDS.get(command);
  if (typeof code === 'number' && typeof response === 'string' && refused !== undefined) {
    if (code >= 400 && code < 600 && !SESSION_CODES.has(code)) {
      return {
        kind: 'rejected',
        refused: findRefusedPart(code, response) ?? refused,
        code,
        reply: storableText(response),
        permanent: code >= 500,
      };
    }
  }
  return { kind: 'unavailable', error: storableText(message), hasBodyStarted };
}

function storableText(reply: string): string {
  return storable(reply.slice(0, MAX_REPLY));
}

/** Returns what the text refuses: many relays reject the account or the sender only after RCPT TO or DATA. */
function findRefusedPart(code: number, text: string): ReturnType<typeof refusedPart> {
  return refusedPart(classifyBounce({ code, status: enhancedStatusIn(text), text }).kind);
}
