/** Contents in the form in which every relay carries them: short lines of ASCII (RFC 2045 section 6). */

const WIDTH = 76;
const [TAB, LF, CR, SPACE, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];
const HEX = Buffer.from('0123456789ABCDEF');
/** What is no plain text, and lines that are too long for it. */
const NEEDS_ENCODING = /[^\t\n\r\x20-\x7e]|[^\r\n]{77}/;

/** A text with the name of its encoding. */
export interface EncodedText {
  readonly encoding: '7bit' | 'quoted-printable' | 'base64';
  /** ASCII; lines ended by CRLF. */
  readonly body: string;
}

/**
 * Plain if it can be, else the shorter of the encodings. Line breaks of any kind become CRLF: a message knows no other
 * (RFC 5322 section 2.3), and the signature covers what is sent.
 */
export function encodeText(text: string): EncodedText {
  if (!NEEDS_ENCODING.test(text)) return { encoding: '7bit', body: crlf(text) };
  const bytes = Buffer.from(text);
  // Octets beyond ASCII take three characters in one encoding; in the other all take a third more.
  if ((bytes.length - text.length) * 10 > bytes.length)
    return { encoding: 'base64', body: base64Lines(Buffer.from(crlf(text))) };
  return { encoding: 'quoted-printable', body: quotedPrintable(bytes) };
}

/** Base64 in lines of 76 characters. */
export function base64Lines(content: Buffer): string {
  return content.toString('base64').replace(/.{76}(?=.)/g, '$&\r\n');
}

function crlf(text: string): string {
  return text.replace(/\r\n|\r|\n/g, '\r\n');
}

function quotedPrintable(bytes: Buffer): string {
  // At worst every octet takes three, and a line of 73 is broken by three more.
  const out = Buffer.allocUnsafe(bytes.length * 3 + Math.ceil(bytes.length / 24) * 3 + 2);
  let at = 0;
  let width = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const octet = bytes[index] ?? 0;
    const next = bytes[index + 1];
    if (octet === LF || octet === CR) {
      if (octet === CR && next === LF) index += 1;
      out[at++] = CR;
      out[at++] = LF;
      width = 0;
      continue;
    }
    const isLast = next === undefined || next === LF || next === CR;
    const isPlain = isPrintable(octet) || ((octet === SPACE || octet === TAB) && !isLast);
    const size = isPlain ? 1 : 3;
    // The last character of a line may stand where otherwise the sign of a soft break must.
    if (width + size > (isLast ? WIDTH : WIDTH - 1)) {
      out[at++] = EQUALS;
      out[at++] = CR;
      out[at++] = LF;
      width = 0;
    }
    width += size;
    if (isPlain) out[at++] = octet;
    else {
      out[at++] = EQUALS;
      out[at++] = HEX[octet >> 4] ?? 0;
      out[at++] = HEX[octet & 15] ?? 0;
    }
  }
  return out.toString('latin1', 0, at);
}

function isPrintable(octet: number): boolean {
  return octet > SPACE && octet < 0x7f && octet !== EQUALS;
}
