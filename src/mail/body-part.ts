/** Encodes content as short lines of ASCII, which every relay transports unchanged (RFC 2045 section 6). */

const WIDTH = 76;
const [TAB, LF, CR, SPACE, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];
const HEX = Buffer.from('0123456789ABCDEF');
/** Non-ASCII characters, control characters, and lines over 76 characters. */
const NEEDS_ENCODING = /[^\t\n\r\x20-\x7e]|[^\r\n]{77}/;

/** An encoded text with the name of its encoding. */
export interface EncodedText {
  readonly encoding: '7bit' | 'quoted-printable' | 'base64';
  /** ASCII with CRLF line breaks. */
  readonly body: string;
}

/**
 * Encodes a text: plain if possible, else the shorter encoding. All line breaks become CRLF, because messages allow no
 * other (RFC 5322 section 2.3) and the signature must cover the bytes that are sent.
 */
export function encodeText(text: string): EncodedText {
  if (!NEEDS_ENCODING.test(text)) return { encoding: '7bit', body: crlf(text) };
  const bytes = Buffer.from(text);
  // Quoted-printable needs three characters per non-ASCII byte; base64 adds a third to every byte.
  if ((bytes.length - text.length) * 10 > bytes.length)
    return { encoding: 'base64', body: base64Lines(Buffer.from(crlf(text))) };
  return { encoding: 'quoted-printable', body: quotedPrintable(bytes) };
}

/** Encodes bytes as base64 in lines of 76 characters. */
export function base64Lines(content: Buffer): string {
  return content.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n');
}

function crlf(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}

function quotedPrintable(bytes: Buffer): string {
  // At worst every byte takes three characters, and a soft break of three follows each line.
  const out = Buffer.allocUnsafe(bytes.length * 3 + Math.ceil(bytes.length / 24) * 3 + 2);
  let at = 0;
  let width = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0;
    const next = bytes[index + 1];
    if (byte === LF || byte === CR) {
      if (byte === CR && next === LF) index += 1;
      out[at++] = CR;
      out[at++] = LF;
      width = 0;
      continue;
    }
    const isLast = next === undefined || next === LF || next === CR;
    const isPlain = isPrintable(byte) || ((byte === SPACE || byte === TAB) && !isLast);
    const size = isPlain ? 1 : 3;
    // The last character of a line may use the column reserved for the soft break.
    if (width + size > (isLast ? WIDTH : WIDTH - 1)) {
      out[at++] = EQUALS;
      out[at++] = CR;
      out[at++] = LF;
      width = 0;
    }
    width += size;
    if (isPlain) out[at++] = byte;
    else {
      out[at++] = EQUALS;
      out[at++] = HEX[byte >> 4] ?? 0;
      out[at++] = HEX[byte & 15] ?? 0;
    }
  }
  return out.toString('latin1', 0, at);
}

function isPrintable(byte: number): boolean {
  return byte > SPACE && byte < 0x7f && byte !== EQUALS;
}
