/** From a message and its rendered template to the bytes that go out, or to the error that ends it. */
import type { Outcome } from '../../../ledger/ledger.ts';
import type { DkimKey } from '../../../mail/dkim.ts';
import { buildMime, type MailMessage } from '../../../mail/message.ts';
import type { Platform } from '../../../platform.ts';
import { SecretBoxError } from '../../../secrets/secret-box.ts';
import type { RenderResult } from '../../email-templates/index.ts';
import type { Attachments } from './attachments.ts';
import { composeMessage, type MessageParts } from './compose.ts';
import type { MessageNote } from './queries.ts';

/** What a message is made of, as it comes in. */
export interface ComingParts extends Pick<MessageParts, 'message' | 'transmission'> {
  readonly rendered: Promise<RenderResult>;
  readonly sender: { readonly dkim: Promise<DkimKey | null>; readonly bounceDomain: string | null };
  readonly attachments: Promise<Attachments>;
}

/** A message as it goes out; the bytes of one with files are not written yet. */
export interface MadeMessage {
  readonly message: MailMessage;
  readonly renderedAt: Date;
  readonly mime: Buffer | null;
}

/** Makes a message, or tells why there is none. */
export async function makeMessage(
  platform: Platform,
  parts: ComingParts,
): Promise<MadeMessage | Outcome<MessageNote>> {
  const rendered = await parts.rendered;
  const renderedAt = platform.clock();
  if (!rendered.ok) {
    const { error } = rendered;
    const note = { status: 'failed', renderError: error, endedAt: renderedAt } as const;
    return { kind: 'failed', error: error.message, note };
  }
  const attachments = await parts.attachments;
  if (!attachments.ok) return failed(renderedAt, attachments.error);
  const { files } = attachments;
  try {
    const sender = { ...parts.sender, dkim: await parts.sender.dkim };
    const message = composeMessage(platform, { ...parts, rendered, sender, files });
    const mime = files.length === 0 ? await writeMime(message, renderedAt) : null;
    return mime === null || Buffer.isBuffer(mime) ? { message, renderedAt, mime } : mime;
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return failed(renderedAt, 'The key of the sending domain cannot be opened: SECRET_KEY has changed.');
  }
}

/** The message's bytes, or the end of this attempt. */
export async function writeMime(
  message: MailMessage,
  renderedAt: Date,
): Promise<Buffer | Outcome<MessageNote>> {
  try {
    return await buildMime(message);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return failed(renderedAt, `The message cannot be built: ${error.message}.`);
  }
}

function failed(renderedAt: Date, error: string): Outcome<MessageNote> {
  return { kind: 'failed', error, note: { status: 'failed', renderedAt, endedAt: renderedAt } };
}
