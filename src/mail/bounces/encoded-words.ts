/** Decodes non-ASCII text in header fields (RFC 2047) and bodies. */

/** `=?charset?B?…?=`; a language may follow the charset (RFC 2231). Bounded, because mail is untrusted. */
const ENCODED_WORD = /=\?([\w.:-]{1,40})(?:\*[\w-]{0,20})?\?([bq])\?([^?\s]{0,1000})\?=/gi;
/** White space between two encoded words is not part of the text. */
const BETWEEN_WORDS = /(\?=)[ \t\r\n]{1,200}(?==\?)/g;

/** Decodes the encoded words of a header field; other text stays unchanged. */
export function decodeWords(field: string): string {
  return field
    .replace(BETWEEN_WORDS, '$1')
    .replace(ENCODED_WORD, (_word, charset: string, encoding: string, text: string) => {
      const isBase64 = encoding.toLowerCase() === 'b';
      return decodeText(isBase64 ? Buffer.from(text, 'base64') : fromQ(text), charset);
    });
}

/** Names of charsets that mail servers use and the encoding standard does not have. */
const CHARSET_ALIASES: Readonly<Record<string, string>> = {
  cp932: 'shift_jis',
  cp936: 'gbk',
  cp949: 'euc-kr',
  cp950: 'big5',
  cp50220: 'iso-2022-jp',
  cp50221: 'iso-2022-jp',
  'iso-2022-jp-ms': 'iso-2022-jp',
  'iso-8859-8-i': 'iso-8859-8',
};

/** Decodes bytes in the named charset, or as UTF-8 if the name is unknown. */
export function decodeText(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(CHARSET_ALIASES[charset.toLowerCase()] ?? charset).decode(bytes);
  } catch {
    return bytes.toString();
  }
}

/** Decodes `=C3=A9` and, in header fields, `_` for a space. */
function fromQ(text: string): Buffer {
  return fromQuotedPrintable(text.replaceAll('_', ' '));
}

/** Decodes quoted-printable text (RFC 2045 section 6.7) with one character per byte. */
export function fromQuotedPrintable(text: string): Buffer {
  return Buffer.from(
    text
      .replace(/=[ \t]*\r?\n/g, '')
      .replace(/=([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}
