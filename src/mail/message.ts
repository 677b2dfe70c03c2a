/** An e-mail as the rest of the system speaks of it, and its form on the wire (RFC 5322, MIME). */
import MailComposer from 'nodemailer/lib/mail-composer';
import { isAddress } from './address.ts';
import { type DkimKey, signDkim } from './dkim.ts';

/** An address with the name that is shown beside it. */
export interface Mailbox {
  readonly address: string;
  readonly name?: string;
}

/** A file that goes along. `type` is a media type; what is none goes as application/octet-stream. */
export interface MailAttachment {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

/** Everything that one recipient's message is made of. */
export interface MailMessage {
  readonly from: Mailbox;
  /** What the recipient sees; who gets it is the envelope's. */
  readonly to: Mailbox;
  /** An address. */
  readonly replyTo?: string;
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
  /** Further header fields, such as List-Unsubscribe. Those that have a place of their own here are refused. */
  readonly headers: Readonly<Record<string, string>>;
  /** With or without angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  readonly attachments: readonly MailAttachment[];
  /** The addresses of MAIL FROM and RCPT TO. */
  readonly envelope: { readonly from: string; readonly to: string };
  readonly dkim?: DkimKey;
}

/** RFC 5322 section 2.2. */
const FIELD_NAME = /^[\x21-\x39\x3b-\x7e]+$/;
/** Fields that frame the message or that `MailMessage` has a place for. */
const RESERVED =
  /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|dkim-signature|received|return-path|resent-.*)$/i;
/** RFC 6838 section 4.2, with parameters (RFC 2045 section 5.1) of ASCII: `text/calendar; method=REQUEST`. */
const MEDIA_TYPE =
  /^(?!multipart\/|message\/)[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}(?: *; *[\w-]{1,60}=(?:[\w!#$&^.+-]{1,100}|"[\w !#$&^.+:/-]{1,100}")){0,5}$/i;
/** Octets of a header word that cannot be folded: a line may have 998 (RFC 5322 section 2.1.1), with room for a name. */
const MAX_WORD = 900;
/** Of a subject or a name, characters: folding them costs far more than a body of that size. */
const MAX_HEADER_TEXT = 64 * 1024;

/**
 * The message as bytes, signed when it has a key. Line breaks and other controls in texts that become header fields
 * turn into spaces, so no text can add a field.
 * @throws TypeError when an address is none, when a subject or name is longer than any reader shows, or when a further
 * header is reserved or cannot be a header.
 */
export async function buildMime(message: MailMessage): Promise<Buffer> {
  const { from, to, replyTo, html, text, dkim } = message;
  const composer = new MailComposer({
    from: mailbox(from),
    to: mailbox(to),
    ...(replyTo === undefined ? {} : { replyTo: mailbox({ address: replyTo }) }),
    subject: headerText('subject', message.subject),
    messageId: oneLine(message.messageId),
    date: message.date,
    headers: Object.entries(message.headers).map(([key, value]) => furtherHeader(key, value)),
    ...(html === undefined ? {} : { html: crlf(html) }),
    ...(text === undefined ? {} : { text: crlf(text) }),
    attachments: message.attachments.map(({ name, type, content }) => ({
      filename: oneLine(name),
      contentType: MEDIA_TYPE.test(type) ? type : 'application/octet-stream',
      contentTransferEncoding: 'base64',
      contentDisposition: 'attachment' as const,
      content,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const mime = await composer.compile().build();
  return dkim === undefined ? mime : signDkim(mime, dkim);
}

function mailbox({ address, name }: Mailbox): { address: string; name: string } {
  if (!isAddress(address)) throw new TypeError(`${JSON.stringify(address)} is not an e-mail address`);
  return { address, name: headerText('name', name ?? '') };
}

function furtherHeader(key: string, value: string): { key: string; value: string } {
  if (!FIELD_NAME.test(key) || RESERVED.test(key)) {
    throw new TypeError(`${JSON.stringify(key)} cannot be a further header`);
  }
  return { key, value: oneLine(value) };
}

/** Text for people; a word too long for a line gets a space, as nothing else may be broken there. */
function headerText(part: 'subject' | 'name', text: string): string {
  if (text.length > MAX_HEADER_TEXT)
    throw new TypeError(`the ${part} has more than ${MAX_HEADER_TEXT} characters`);
  return oneLine(text).replace(new RegExp(`[\\x21-\\x7e]{${MAX_WORD}}(?=[\\x21-\\x7e])`, 'g'), '$& ');
}

function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}

/** A message knows no other line break (RFC 5322 section 2.3), and the signature covers what is sent. */
function crlf(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}
