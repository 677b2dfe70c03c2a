/** The memory for building a message: its texts and files, encoded, in the copies that signing needs. */
import { MAX_ATTACHMENT_BYTES } from '../request-check.ts';
import type { StoredContent } from '../tables.ts';

/** Bytes of every message, however small. */
export const BYTES_PER_MESSAGE = 4096;
/** Bytes per character of a text with tracked links. */
const BYTES_PER_CHARACTER = 8;
/** Bytes per byte of a built message, files included. */
const BYTES_PER_MIME_BYTE = 5;
/** Bytes per character of a file in base64. */
const BYTES_PER_FILE_CHARACTER = 6;
/** Bytes per byte of a recipient's own data: the data as read, and in the rendering thread. */
export const BYTES_PER_DATA_BYTE = 6;

/** The largest size of all files of a message in base64. */
const MAX_DATA_CHARACTERS = (MAX_ATTACHMENT_BYTES * 4) / 3;

/** True if messages of this memory can have remote files. */
export function mayHaveRemoteFiles(messageBytes: number): boolean {
  return messageBytes >= MAX_DATA_CHARACTERS * BYTES_PER_FILE_CHARACTER;
}

/**
 * Estimates the memory from the content, before any message is built. Files to be fetched count with the maximum size.
 */
export function expectedBytes({ subject, html, text, snippets, attachments }: StoredContent): number {
  const texts = [subject, html, text ?? '', ...Object.values(snippets)];
  const characters = texts.reduce((sum, each) => sum + each.length, 0);
  const knownSize = attachments.reduce(
    (sum, { data = '', size = 0 }) => sum + data.length + (size * 4) / 3,
    0,
  );
  const files = attachments.some(({ url }) => url !== undefined)
    ? MAX_DATA_CHARACTERS
    : Math.min(knownSize, MAX_DATA_CHARACTERS);
  return Math.ceil(BYTES_PER_MESSAGE + characters * BYTES_PER_CHARACTER + files * BYTES_PER_FILE_CHARACTER);
}

/** The memory of a message that was built with this many bytes. */
export function builtMessageBytes(mimeBytes: number): number {
  return BYTES_PER_MESSAGE + mimeBytes * BYTES_PER_MIME_BYTE;
}
