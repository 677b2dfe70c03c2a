/** Builds the bytes of a message from its rendered template, or returns the error that ends it. */

import type { DkimKey } from '../../../../mail/dkim.ts';
import type { MailMessage } from '../../../../mail/message.ts';
import type { OutgoingMessage } from '../../../../mail/transport.ts';
import type { Platform } from '../../../../platform.ts';
import { SecretBoxError } from '../../../../secrets/secret-box.ts';
import type { Outcome } from '../../../../work-queue/work-queue.ts';
import type { RenderResult } from '../../email-templates/index.ts';
import { buildTrackedMime } from '../../email-tracking/index.ts';
import type { Attachments } from './attachments.ts';
import { composeMessage, type MessageParts } from './compose.ts';
import type { MessageResult } from './queries.ts';

/** The parts of a message, some still being computed. */
export interface PendingParts extends Pick<MessageParts, 'message' | 'transmission'> {
  readonly rendered: RenderResult;
  readonly sender: { readonly dkim: Promise<DkimKey | null>; readonly bounceDomain: string | null };
  readonly attachments: Promise<Attachments>;
}

/** A built message. */
export interface BuiltMessage {
  readonly message: OutgoingMessage;
  readonly renderedAt: Date;
  readonly mime: Buffer;
}

/** Builds a message, or returns the outcome of its failure. */
export async function buildMessage(
  platform: Platform,
  parts: PendingParts,
): Promise<BuiltMessage | Outcome<MessageResult>> {
  const { rendered } = parts;
  const renderedAt = platform.clock();
  if (!rendered.ok) {
    const { error } = rendered;
    const result = { status: 'failed', render_error: error, ended_at: renderedAt } as const;
    return { kind: 'failed', error: error.message, result };
  }
  const attachments = await parts.attachments;
  if (!attachments.ok) {
    const { error } = attachments;
    return error === null ? { kind: 'returned' } : failed(renderedAt, error);
  }
  const { files } = attachments;
  try {
    const sender = { ...parts.sender, dkim: await parts.sender.dkim };
    const message = composeMessage(platform, { ...parts, rendered, sender, files });
    const mime = await writeMime(platform, parts, message, renderedAt);
    if (!Buffer.isBuffer(mime)) return mime;
    // The texts are in the bytes already.
    const { envelope, from, subject } = message;
    return { message: { id: parts.message.id, envelope, from, subject }, renderedAt, mime };
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return failed(renderedAt, 'The key of the sending domain cannot be decrypted: SECRET_KEY has changed.');
  }
}

/** Returns the message's bytes, or the outcome of this attempt. */
async function writeMime(
  platform: Platform,
  { message: { tenant_id: tenantId, id: messageId }, transmission: { options } }: PendingParts,
  message: MailMessage,
  renderedAt: Date,
): Promise<Buffer | Outcome<MessageResult>> {
  try {
    const { campaign } = options;
    const labels = campaign && { campaign: campaign.code, content: campaign.emailId };
    return await buildTrackedMime(platform, message, { ...options, tenantId, messageId, labels });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return failed(renderedAt, `The message cannot be built: ${error.message}.`);
  }
}

function failed(renderedAt: Date, error: string): Outcome<MessageResult> {
  const columns = { render_error: { kind: 'make', message: error }, rendered_at: renderedAt } as const;
  return { kind: 'failed', error, result: { status: 'failed', ...columns, ended_at: renderedAt } };
}
