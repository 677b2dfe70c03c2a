/** Header fields as they stand in a message: folded to lines of 76 characters, other scripts as encoded words. */
import { randomUUID } from 'node:crypto';
import { asciiAddress } from './address.ts';

const WIDTH = 76;
/** Octets of text in one encoded word: its line has 76 characters at most (RFC 2047 section 2), a field name included. */
const ENCODED_OCTETS = 39;
const PRINTABLE = /^[\x20-\x7e]*$/;
/** Atoms and spaces: a name that needs no quotes (RFC 5322 section 3.2.3). */
const ATOMS = /^[\w!#$%&'*+\-/=?^`{|}~]+(?: [\w!#$%&'*+\-/=?^`{|}~]+)*$/;
/** Of a parameter's value in one line, percent-encoded. */
const MAX_PARAMETER_PART = 50;
/** A quoted name is not folded. */
const MAX_QUOTED = 60;
/** What RFC 5987 section 3.2.1 leaves as it is, and `encodeURIComponent` does too. */
const ENCODE_ALSO = /['()*!]/g;

/** A field of free text. */
export function textField(name: string, text: string): string {
  return fold(`${name}: ${words(text)}`);
}

/** A field whose value is written as it is, folded at its spaces. */
export function plainField(name: string, value: string): string {
  return fold(`${name}: ${value}`);
}

/** A field of one address and the name shown beside it. */
export function mailboxField(field: string, { address, name }: { address: string; name: string }): string {
  const spec = asciiAddress(address);
  return fold(name === '' ? `${field}: ${spec}` : `${field}: ${phrase(name)} <${spec}>`);
}

/** The fields of a file: what it is, and under which name it is kept (RFC 2183, RFC 2231). */
export function fileFields(type: string, name: string): string {
  const isPlain = PRINTABLE.test(name);
  // Readers that do not know RFC 2231 look for a name of encoded words here.
  const named = isPlain ? type : `${type}; name="${encodedWords(name)}"`;
  const disposition = isPlain ? `filename=${quoted(name)}` : extendedParameter('filename', name);
  return (
    `${plainField('Content-Type', named)}Content-Transfer-Encoding: base64\r\n` +
    `Content-Disposition: attachment;\r\n ${disposition}\r\n`
  );
}

/** A parameter of any characters, in several parts when it is long (RFC 2231 sections 3 and 4). */
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

/** What separates the parts of a message; `=_` is in no encoded text (RFC 2045 section 6.7). */
export function newBoundary(): string {
  return `=_${randomUUID()}`;
}

function words(text: string): string {
  return PRINTABLE.test(text) && !text.includes('=?') ? text : encodedWords(text);
}

function phrase(name: string): string {
  if (!PRINTABLE.test(name) || name.length > MAX_QUOTED || name.includes('=?')) return encodedWords(name);
  return ATOMS.test(name) ? name : quoted(name);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Whole characters in each word (RFC 2047 section 5). */
function encodedWords(text: string): string {
  const parts: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of text.toWellFormed()) {
    const size = Buffer.byteLength(character);
    if (octets + size > ENCODED_OCTETS) {
      parts.push(part);
      part = '';
      octets = 0;
    }
    part += character;
    octets += size;
  }
  parts.push(part);
  return parts.map((each) => `=?UTF-8?B?${Buffer.from(each).toString('base64')}?=`).join(' ');
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Breaks lines before words; never so that a line has nothing but spaces. */
function fold(field: string): string {
  if (field.length <= WIDTH) return `${field}\r\n`;
  const [first = '', second = '', ...others] = field.split(' ');
  // The value begins on the line of its name.
  let text = `${first} ${second}`;
  let width = text.length;
  for (const word of others) {
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
