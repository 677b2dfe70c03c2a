/** An e-mail as the rest of the system speaks of it, and its form on the wire (RFC 5322, MIME). */
import { isAddress } from './address.ts';
import { base64Lines, encodeText } from './body-part.ts';
import { type DkimKey, signDkim } from './dkim.ts';
import { fileFields, mailboxField, newBoundary, plainField, textField } from './header-field.ts';

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
const LONG_WORD = /[\x21-\x7e]{900}(?=[\x21-\x7e])/g;
/** Lines are folded before words, so spaces in a row are kept only as far as a line has room for them. */
const LONG_GAP = /( {80}) +/g;
/** Of a subject or a name, characters: no reader shows more, and a body is the place for them. */
export const MAX_HEADER_TEXT = 64 * 1024;

/**
 * The message as bytes, signed when it has a key. Line breaks and other controls in texts that become header fields
 * turn into spaces, so no text can add a field.
 * @throws TypeError when an address is none, when a subject or name is longer than any reader shows, or when a further
 * header is reserved or cannot be a header.
 */
export async function buildMime(message: MailMessage): Promise<Buffer<ArrayBuffer>> {
  const content = contentOf(message);
  const mime = Buffer.from(`${headerOf(message)}${content}${content.endsWith('\r\n') ? '' : '\r\n'}`);
  return message.dkim === undefined ? mime : signDkim(mime, message.dkim);
}

function headerOf({ from, to, replyTo, subject, messageId, date, headers }: MailMessage): string {
  const further = Object.entries(headers).map(([key, value]) => furtherHeader(key, value));
  return [
    ...further,
    mailboxField('From', mailbox(from)),
    mailboxField('To', mailbox(to)),
    ...(replyTo === undefined ? [] : [mailboxField('Reply-To', mailbox({ address: replyTo }))]),
    textField('Subject', headerText('subject', subject)),
    plainField('Message-ID', inAngles(oneLine(messageId))),
    plainField('Date', date.toUTCString().replace('GMT', '+0000')),
    'MIME-Version: 1.0\r\n',
  ].join('');
}

/** The fields that tell what the content is, an empty line, and the content. */
function contentOf({ html, text, attachments }: MailMessage): string {
  const texts = [
    ...(text === undefined ? [] : [textPart('plain', text)]),
    ...(html === undefined ? [] : [textPart('html', html)]),
  ];
  const body = texts.length > 1 ? [multipart('alternative', texts)] : texts;
  if (attachments.length > 0) return multipart('mixed', [...body, ...attachments.map(filePart)]);
  return body[0] ?? textPart('plain', '');
}

function textPart(subtype: 'plain' | 'html', content: string): string {
  const { encoding, body } = encodeText(content);
  return `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`;
}

function filePart({ name, type, content }: MailAttachment): string {
  const mediaType = MEDIA_TYPE.test(type) ? type : 'application/octet-stream';
  return `${fileFields(mediaType, oneLine(name))}\r\n${base64Lines(content)}`;
}

function multipart(subtype: 'alternative' | 'mixed', parts: readonly string[]): string {
  const boundary = newBoundary();
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('');
  return `Content-Type: multipart/${subtype};\r\n boundary="${boundary}"\r\n\r\n${body}--${boundary}--`;
}

function mailbox({ address, name }: Mailbox): { address: string; name: string } {
  if (!isAddress(address)) throw new TypeError(`${JSON.stringify(address)} is not an e-mail address`);
  return { address, name: headerText('name', name ?? '') };
}

function furtherHeader(key: string, value: string): string {
  if (!FIELD_NAME.test(key) || RESERVED.test(key)) {
    throw new TypeError(`${JSON.stringify(key)} cannot be a further header`);
  }
  return textField(key, oneLine(value));
}

function inAngles(id: string): string {
  return id.startsWith('<') ? id : `<${id}>`;
}

/** Text for people; a word too long for a line gets a space, as nothing else may be broken there. */
function headerText(part: 'subject' | 'name', text: string): string {
  if (text.length > MAX_HEADER_TEXT)
    throw new TypeError(`the ${part} has more than ${MAX_HEADER_TEXT} characters`);
  return oneLine(text).replace(LONG_GAP, '$1').replace(LONG_WORD, '$& ');
}

function oneLine(text: string): string {
  return /\p{Cc}/u.test(text) ? text.replace(/\p{Cc}+/gu, ' ').trim() : text.trim();
}
