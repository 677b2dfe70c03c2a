/** Serializes header fields: folds them to lines of 76 characters, and writes non-ASCII text as encoded words. */
import { randomUUID } from 'node:crypto';
import { asciiAddress } from './address.ts';

const WIDTH = 76;
/** Bytes of text per encoded word: its line has at most 76 characters (RFC 2047 section 2), field name included. */
const ENCODED_WORD_BYTES = 39;
const PRINTABLE = /^[\x20-\x7e]*$/;
/** Atoms and spaces: a name that needs no quotes (RFC 5322 section 3.2.3). */
const ATOMS = /^[\w!#$%&'*+\-/=?^`{|}~]+(?: [\w!#$%&'*+\-/=?^`{|}~]+)*$/;
/** Characters of a percent-encoded parameter value on one line. */
const MAX_PARAMETER_PART = 50;
/** Longest quoted name, in characters: quoted names are not folded. */
const MAX_QUOTED = 60;
/** Characters that `encodeURIComponent` does not encode; RFC 5987 section 3.2.1 requires it for most of them. */
const ENCODE_ALSO = /['()*!]/g;

/** Returns a field of free text. */
export function textField(name: string, text: string): string {
  return fold(`${name}: ${encodeText(text)}`);
}

/** Returns a field with an unencoded value, folded at its spaces. */
export function plainField(name: string, value: string): string {
  return fold(`${name}: ${value}`);
}

/** Returns a field of one address and its display name. */
export function mailboxField(field: string, { address, name }: { address: string; name: string }): string {
  const spec = asciiAddress(address);
  return fold(name === '' ? `${field}: ${spec}` : `${field}: ${encodeName(name)} <${spec}>`);
}

/** Returns the header fields of an attachment: media type, encoding and file name (RFC 2183, RFC 2231). */
export function fileFields(type: string, name: string): string {
  const isPlain = PRINTABLE.test(name);
  // Mail clients without RFC 2231 read the name here, as encoded words.
  const named = isPlain ? type : `${type}; name="${encodedWords(name)}"`;
  const disposition = isPlain ? `filename=${quoted(name)}` : extendedParameter('filename', name);
  return (
    `${plainField('Content-Type', named)}Content-Transfer-Encoding: base64\r\n` +
    `Content-Disposition: attachment;\r\n ${disposition}\r\n`
  );
}

/** Returns a parameter of any characters, in several parts if it is long (RFC 2231 sections 3 and 4). */
function extendedParameter(parameter: string, value: string): string {
  const parts = [''];
  for (const character of value.toWellFormed()) {
    const encoded = encodeURIComponent(character).replace(ENCODE_ALSO, percent);
    const last = parts.length - 1;
    if ((parts[last] ?? '').length + encoded.length > MAX_PARAMETER_PART) parts.push(encoded);
    else parts[last] += encoded;
  }
  if (parts.length === 1) return `${parameter}*=utf-8''${parts[0]}`;
  return parts
    .map((part, index) => `${parameter}*${index}*=${index === 0 ? "utf-8''" : ''}${part}`)
    .join(';\r\n ');
}

/** Returns a boundary between message parts; `=_` never occurs in encoded text (RFC 2045 section 6.7). */
export function newBoundary(): string {
  return `=_${randomUUID()}`;
}

function encodeText(text: string): string {
  return PRINTABLE.test(text) && !text.includes('=?') ? text : encodedWords(text);
}

function encodeName(name: string): string {
  if (!PRINTABLE.test(name) || name.length > MAX_QUOTED || name.includes('=?')) return encodedWords(name);
  return ATOMS.test(name) ? name : quoted(name);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Encodes text as encoded words, each with whole characters (RFC 2047 section 5). */
function encodedWords(text: string): string {
  const parts: string[] = [];
  let part = '';
  let bytes = 0;
  for (const character of text.toWellFormed()) {
    const size = Buffer.byteLength(character);
    if (bytes + size > ENCODED_WORD_BYTES) {
      parts.push(part);
      part = '';
      bytes = 0;
    }
    part += character;
    bytes += size;
  }
  parts.push(part);
  return parts.map((each) => `=?UTF-8?B?${Buffer.from(each).toString('base64')}?=`).join(' ');
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Folds a field before words, so that no line consists only of spaces. */
function fold(field: string): string {
  if (field.length <= WIDTH) return `${field}\r\n`;
  const [first = '', second = '', ...remainingWords] = field.split(' ');
  // The value begins on the same line as the field name.
  let text = `${first} ${second}`;
  let width = text.length;
  for (const word of remainingWords) {
    if (word !== '' && width + 1 + word.length > WIDTH) {
      text += `\r\n ${word}`;
      width = 1 + word.length;
    } else {
      text += ` ${word}`;
      width += 1 + word.length;
    }
  }
  return `${text}\r\n`;
}
