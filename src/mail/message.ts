/** An email message and its serialization (RFC 5322, MIME). */
import { isAddress } from './address.ts';
import { base64Lines, encodeText } from './body-part.ts';
import { type DkimKey, signDkim } from './dkim.ts';
import { fileFields, mailboxField, newBoundary, plainField, textField } from './header-field.ts';

/** An address with its display name. */
export interface Mailbox {
  readonly address: string;
  readonly name?: string;
}

/** An attached file. `type` is a media type; an invalid one is sent as application/octet-stream. */
export interface MailAttachment {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

/** A message for one recipient. */
export interface MailMessage {
  readonly from: Mailbox;
  /** The To field; `envelope.to` determines who receives the message. */
  readonly to: Mailbox;
  /** An address. */
  readonly replyTo?: string;
  readonly subject: string;
  readonly html?: string;
  readonly text?: string;
  /** Additional header fields, such as List-Unsubscribe. Fields that `buildMime` writes are not allowed. */
  readonly headers: Readonly<Record<string, string>>;
  /** With or without angle brackets. */
  readonly messageId: string;
  readonly date: Date;
  readonly attachments: readonly MailAttachment[];
  /** The addresses of MAIL FROM and RCPT TO. */
  readonly envelope: { readonly from: string; readonly to: string };
  readonly dkim?: DkimKey;
}

/** Name of a header field (RFC 5322 section 2.2). */
const FIELD_NAME = /^[\x21-\x39\x3b-\x7e]+$/;
/** Fields that `buildMime` writes itself, and trace fields. */
const RESERVED =
  /^(from|sender|to|cc|bcc|reply-to|subject|date|message-id|mime-version|content-.*|dkim-signature|received|return-path|resent-.*)$/i;
/** A media type with ASCII parameters (RFC 6838 section 4.2, RFC 2045 section 5.1): `text/calendar; method=REQUEST`. */
const MEDIA_TYPE =
  /^(?!multipart\/|message\/)[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}(?: *; *[\w-]{1,60}=(?:[\w!#$&^.+-]{1,100}|"[\w !#$&^.+:/-]{1,100}")){0,5}$/i;
/** A header word that cannot be folded. A line has at most 998 bytes (RFC 5322 section 2.1.1), field name included. */
const LONG_WORD = /[\x21-\x7e]{900}(?=[\x21-\x7e])/g;
/** A run of more than 80 spaces. It would not fit on a line, because lines are folded only before words. */
const LONG_GAP = /( {80}) +/g;
/** Longest subject or name, in characters: more than any mail client shows. */
export const MAX_HEADER_TEXT = 64 * 1024;

/**
 * Serializes the message, signed if it has a key. Line breaks and other control characters in header texts become
 * spaces, so that no text can add a field.
 * @throws TypeError when an address is invalid, a subject or name exceeds MAX_HEADER_TEXT, or an additional header is
 * reserved or invalid.
 */
export async function buildMime(message: MailMessage): Promise<Buffer<ArrayBuffer>> {
  const content = contentOf(message);
  const mime = Buffer.from(`${headerOf(message)}${content}${content.endsWith('\r\n') ? '' : '\r\n'}`);
  return message.dkim === undefined ? mime : signDkim(mime, message.dkim);
}

function headerOf({ from, to, replyTo, subject, messageId, date, headers }: MailMessage): string {
  const additional = Object.entries(headers).map(([key, value]) => additionalHeader(key, value));
  return [
    ...additional,
    mailboxField('From', mailbox(from)),
    mailboxField('To', mailbox(to)),
    ...(replyTo === undefined ? [] : [mailboxField('Reply-To', mailbox({ address: replyTo }))]),
    textField('Subject', headerText('subject', subject)),
    plainField('Message-ID', inAngles(oneLine(messageId))),
    plainField('Date', date.toUTCString().replace('GMT', '+0000')),
    'MIME-Version: 1.0\r\n',
  ].join('');
}

/** Returns the content fields, an empty line, and the content. */
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
  if (!isAddress(address)) throw new TypeError(`${JSON.stringify(address)} is not a valid email address`);
  return { address, name: headerText('name', name ?? '') };
}

function additionalHeader(key: string, value: string): string {
  if (!FIELD_NAME.test(key) || RESERVED.test(key)) {
    throw new TypeError(`${JSON.stringify(key)} is not allowed as an additional header`);
  }
  return textField(key, oneLine(value));
}

function inAngles(id: string): string {
  return id.startsWith('<') ? id : `<${id}>`;
}

/** Cleans a subject or name; a word too long for a line gets a space, because lines break only at spaces. */
function headerText(part: 'subject' | 'name', text: string): string {
  if (text.length > MAX_HEADER_TEXT)
    throw new TypeError(`the ${part} has more than ${MAX_HEADER_TEXT} characters`);
  return oneLine(text).replace(LONG_GAP, '$1').replace(LONG_WORD, '$& ');
}

function oneLine(text: string): string {
  return /\p{Cc}/u.test(text) ? text.replace(/\p{Cc}+/gu, ' ').trim() : text.trim();
}
