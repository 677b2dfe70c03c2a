/** Bodies of any content type, as hooks accept them. */
import { AppError } from '../errors/app-error.ts';
import { INVALID_REQUEST, invalidRequest, UNSUPPORTED_MEDIA_TYPE } from '../errors/platform-errors.ts';
import { charsetOf, charsetOfMark, charsetOfText, decodableCharset } from './charset.ts';
import { checkText, parseJsonBody } from './json-body.ts';

const JSON_TYPE = /^\s*text\/json\s*$|\+json\s*$/;
const NO_MULTIPART =
  'Multipart forms are not supported here. Send JSON, text, or a form as application/x-www-form-urlencoded.';

/**
 * Parses JSON to its value, a form to an object (repeated fields become lists), other text to a string, and an empty
 * body to undefined.
 * @throws AppError INVALID_REQUEST for text in the wrong encoding, UNSUPPORTED_MEDIA_TYPE for multipart forms.
 */
export function parseAnyBody(bytes: Buffer, contentType = ''): unknown {
  if (bytes.length === 0) return undefined;
  const [type = ''] = contentType.toLowerCase().split(';', 1);
  if (JSON_TYPE.test(type)) return parseJsonBody(bytes, INVALID_REQUEST, contentType);
  if (type.startsWith('multipart/')) throw new AppError(UNSUPPORTED_MEDIA_TYPE, { message: NO_MULTIPART });
  const isForm = type.trim() === 'application/x-www-form-urlencoded';
  const inBody = isForm ? charsetInForm(bytes) : charsetOfText(bytes, contentType);
  const label = charsetOf(contentType) ?? inBody ?? 'utf-8';
  // A byte order mark without further bytes is treated as binary data.
  const charset = (bytes.length > 2 ? charsetOfMark(bytes) : null) ?? decodableCharset(label);
  if (charset === null)
    throw new AppError(UNSUPPORTED_MEDIA_TYPE, {
      message: `The charset ${label.slice(0, 50)} is unknown. Send UTF-8.`,
    });
  if (isForm) return parseForm(bytes, charset);
  const text = decode(bytes, charset);
  checkText(text, 'body');
  return text;
}

const CHARSET_FIELD = /(?:^|&)_charset_=([\w.:-]+)(?:&|$)/;

/** Returns the charset that a browser writes into the hidden form field `_charset_`. */
function charsetInForm(bytes: Buffer): string | null {
  return CHARSET_FIELD.exec(bytes.toString('latin1'))?.[1] ?? null;
}

function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    throw invalidRequest([{ message: `The body is not valid ${charset.toUpperCase()}.` }]);
  }
}

/** Returns the names and values of a form, whose bytes are in its charset, percent-encoded or not. */
function pairsIn(bytes: Buffer, charset: string): [string, string][] {
  // Browsers write forms in encodings whose ASCII characters are single bytes.
  const text = charset.startsWith('utf-16') ? decode(bytes, charset) : bytes.toString('latin1');
  const read = (part: string) => {
    const plain = part.replaceAll('+', ' ');
    if (charset.startsWith('utf-16')) return new URLSearchParams(`v=${part}`).get('v') ?? '';
    const unescaped = plain.replace(/%([\da-f]{2})/gi, (_all, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return decode(Buffer.from(unescaped, 'latin1'), charset);
  };
  return text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [read(pair), ''] : [read(pair.slice(0, at)), read(pair.slice(at + 1))];
    });
}

function parseForm(bytes: Buffer, charset: string): Record<string, string | string[]> {
  const values = Map.groupBy(pairsIn(bytes, charset), ([name]) => name);
  const fields = [...values].map(([name, pairs]): [string, string | string[]] => {
    const values = pairs.map(([, value]) => value);
    for (const each of [name, ...values]) checkText(each, name);
    return [name, values.length === 1 ? (values[0] ?? '') : values];
  });
  return Object.fromEntries(fields);
}
