/** How much memory one message takes while it is made: its texts and files, encoded, in the copies that signing takes. */
import { MAX_ATTACHMENT_BYTES } from '../request-check.ts';
import type { StoredContent } from '../tables.ts';

/** What every message takes, however small. */
export const BYTES_PER_MESSAGE = 4096;
/** Of a text, with links that lead through us. */
const PER_CHARACTER = 8;
/** Of a built message, files included. */
const PER_MIME_BYTE = 5;
/** Of a file in base64. */
const PER_DATA_CHARACTER = 6;
/** Of a recipient's own data: as they are read, and in the thread that renders. */
export const PER_DATA_OCTET = 6;

/** All files of a message in base64, at most. */
const MOST_DATA = (MAX_ATTACHMENT_BYTES * 4) / 3;

/** True if messages that may take so much can have files that are fetched from elsewhere. */
export function mayHaveFarFiles(messageBytes: number): boolean {
  return messageBytes >= MOST_DATA * PER_DATA_CHARACTER;
}

/** Judged by the content alone, before any message was made. Files that are to be fetched may be as large as any. */
export function expectedBytes({ subject, html, text, snippets, attachments }: StoredContent): number {
  const texts = [subject, html, text ?? '', ...Object.values(snippets)];
  const characters = texts.reduce((sum, each) => sum + each.length, 0);
  const given = attachments.reduce((sum, { data = '', size = 0 }) => sum + data.length + (size * 4) / 3, 0);
  const files = attachments.some(({ url }) => url !== undefined) ? MOST_DATA : Math.min(given, MOST_DATA);
  return Math.ceil(BYTES_PER_MESSAGE + characters * PER_CHARACTER + files * PER_DATA_CHARACTER);
}

/** What a message took that was built of so many bytes. */
export function madeBytes(mimeBytes: number): number {
  return BYTES_PER_MESSAGE + mimeBytes * PER_MIME_BYTE;
}
