/** The way out for mail: a relay, or the outbox when there is none. */
import type { Config } from '../config.ts';
import type { Observer } from '../observe/observer.ts';
import type { Clock } from '../platform.ts';
import type { Scope } from '../tenancy/scope.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { ehloName, UNNAMED } from './ehlo-name.ts';
import type { MailMessage } from './message.ts';
import { createOutboxTransport } from './outbox-transport.ts';
import { createSmtpTransport } from './smtp-transport.ts';

/**
 * What became of a message. `sent`: taken over, with the relay's words. `rejected`: the relay answered no to this
 * message, for good or for now. `unavailable`: nothing was said about this message, because the relay could not be
 * reached, did not answer in time, or closes the session; with `isBodyBegun` it may have been taken over all the same.
 * `refused` tells what the no was about. Nothing follows for the recipient from a refused `sender`, nor from a refused
 * `account`: a quota, a login, relaying, a reputation, whatever meets every message alike. Of an `address` the relay cannot
 * even be asked.
 */
export type SendResult =
  | { readonly kind: 'sent'; readonly answer: string }
  | {
      readonly kind: 'rejected';
      readonly refused: 'account' | 'sender' | 'recipient' | 'address' | 'message';
      readonly code: number;
      readonly answer: string;
      readonly permanent: boolean;
    }
  | { readonly kind: 'unavailable'; readonly error: string; readonly isBodyBegun: boolean };

/** What a transport must know of a message beside its bytes. */
export interface HandedOver extends Pick<MailMessage, 'envelope' | 'from' | 'subject'> {
  /** Of the row in `email_messages`; absent when the message has none. */
  readonly id?: string;
}

/** Hands messages over. */
export interface MailTransport {
  /** Hands one message over; `mime` is what `buildMime` made of it. Never rejects. */
  send(tenantId: string, message: HandedOver, mime: Buffer): Promise<SendResult>;
  /** Takes no more messages, lets those under way finish, for a few seconds at most, and lets connections go. */
  close(): Promise<void>;
}

/** What the outbox needs of the platform, which does not exist yet when the transport is made. */
export interface MailTransportParts {
  readonly clock: Clock;
  readonly observe: Observer;
  readonly scoped: (scope: Scope) => ScopedDb;
}

/** The transport that the configuration asks for. Connects only when there is something to send. */
export function createMailTransport(config: Config, parts: MailTransportParts): MailTransport {
  if (config.smtpUrl === null) return createOutboxTransport(parts);
  const name = ehloName(config);
  if (name === UNNAMED && config.role !== 'api')
    parts.observe({
      event: 'mail.unnamed',
      ehlo: name,
      hint: 'Set SMTP_EHLO_NAME, or PUBLIC_URL with a full host name: relays distrust a greeting without one.',
    });
  return createSmtpTransport(config.smtpUrl, { connections: config.smtpConnections, ehloName: name });
}
