/** Transport of outgoing mail: a relay, or the outbox if no relay is configured. */
import type { Config } from '../config.ts';
import type { Observer } from '../observe/observer.ts';
import type { Clock } from '../platform.ts';
import type { Scope } from '../tenancy/scope.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { ehloName, FALLBACK_NAME } from './ehlo-name.ts';
import type { MailMessage } from './message.ts';
import { createOutboxTransport } from './outbox-transport.ts';
import { createSmtpTransport } from './smtp-transport.ts';

/**
 * Result of sending a message.
 * `sent`: the relay accepted it, with this reply.
 * `rejected`: the relay rejected it, permanently or temporarily. `refused` names the cause. `sender` and `account`
 * (quota, login, relaying, reputation: causes that affect every message) say nothing about the recipient, nor does
 * `address`: the relay does not support addresses such as those of this message.
 * `unavailable`: the relay was unreachable, did not answer in time or closed the session. With `hasBodyStarted` it may
 * have accepted the message despite the error.
 */
export type SendResult =
  | { readonly kind: 'sent'; readonly reply: string }
  | {
      readonly kind: 'rejected';
      readonly refused: 'account' | 'sender' | 'recipient' | 'address' | 'message';
      readonly code: number;
      readonly reply: string;
      readonly permanent: boolean;
    }
  | { readonly kind: 'unavailable'; readonly error: string; readonly hasBodyStarted: boolean };

/** Metadata of a message that a transport needs in addition to its bytes. */
export interface OutgoingMessage extends Pick<MailMessage, 'envelope' | 'from' | 'subject'> {
  /** Id in `email_messages`; absent for a message without a row. */
  readonly id?: string;
}

/** Sends messages. */
export interface MailTransport {
  /** Sends one message; `mime` is the result of `buildMime`. Never rejects. */
  send(tenantId: string, message: OutgoingMessage, mime: Buffer): Promise<SendResult>;
  /** Refuses new messages, waits a few seconds at most for messages in progress, and closes all connections. */
  close(): Promise<void>;
}

/** Dependencies of the transports: the platform itself does not exist yet when the transport is created. */
export interface MailTransportParts {
  readonly clock: Clock;
  readonly observe: Observer;
  readonly scoped: (scope: Scope) => ScopedDb;
}

/** Creates the configured transport. It connects when there is something to send. */
export function createMailTransport(config: Config, parts: MailTransportParts): MailTransport {
  if (config.smtpUrl === null) return createOutboxTransport(parts);
  const name = ehloName(config);
  if (name === FALLBACK_NAME && config.role !== 'api')
    parts.observe({
      event: 'mail.unnamed',
      ehlo: name,
      hint: 'Set SMTP_EHLO_NAME, or PUBLIC_URL with a full host name: relays distrust a greeting without one.',
    });
  return createSmtpTransport(config.smtpUrl, { connections: config.smtpConnections, ehloName: name });
}
