/** Transport of outgoing mail. */
import type { MailMessage } from './message.ts';

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
