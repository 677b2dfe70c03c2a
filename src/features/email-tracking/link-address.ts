/** What the value of an `href` leads to, and whether following it may be counted. */
import { decodeHTMLAttribute } from 'entities';
import { LRUCache } from 'lru-cache';

const REFERENCE = /&(?:#(x?[\da-f]+)|[a-z][a-z\d]*)(?:;|=)?/gi;
/** Values that were read lately: most links of a message are the same for every recipient. */
const read = new LRUCache<string, { readonly address: string | null }>({ max: 1000 });
/** Longer values are read anew, so that those remembered stay small, in characters. */
const MAX_REMEMBERED = 2000;
/** What a URL parser takes off: controls and spaces at the ends, tabs and line breaks anywhere (WHATWG URL). */
const AROUND = /^[\0-\x20]+|(?<![\0-\x20])[\0-\x20]+$/g;

/** In UTF-8. A token is a third longer, and proxies refuse paths of more than 8,192. */
const MAX_BYTES = 5000;

/**
 * The web address that an attribute's value stands for, character for character (parameters in their order and
 * spelling), or null when it is none (`mailto:`, `tel:`, `#part`, a relative path), is too long to be put into a path,
 * or its meaning is in doubt: such a link is left as it is, for a link that is not counted is better than one that
 * leads elsewhere or nowhere.
 */
export function readLinkAddress(attributeValue: string): string | null {
  const known = read.get(attributeValue);
  if (known !== undefined) return known.address;
  const address = parseAddress(attributeValue);
  if (attributeValue.length <= MAX_REMEMBERED) read.set(attributeValue, { address });
  return address;
}

function parseAddress(attributeValue: string): string | null {
  const text = decodeReferences(attributeValue)
    ?.replace(AROUND, '')
    .replace(/[\t\r\n]/g, '');
  if (text === undefined || !/^https?:\/\//i.test(text)) return null;
  if (Buffer.byteLength(text) > MAX_BYTES) return null;
  return text.isWellFormed() && URL.canParse(text) ? text : null;
}

/** The attribute's text, each reference decoded once; null when one of them is in doubt. */
function decodeReferences(value: string): string | null {
  if (!value.includes('&')) return value;
  let isClear = true;
  const text = value.replace(REFERENCE, (whole, number?: string) => {
    const meant = decodeHTMLAttribute(whole);
    // Numbers that browsers replace by other characters are in doubt, and so are names of letters and signs.
    isClear &&= meant === whole || (number === undefined ? isAscii(meant) : isNumbered(meant, number));
    return meant;
  });
  return isClear ? text : null;
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text);
}

function isNumbered(character: string, number: string): boolean {
  return character.codePointAt(0) === Number(/^x/i.test(number) ? `0${number}` : number);
}

/**
 * Takes the tokens of our own links out of an address, also of those inside its parameters. What staff read of a click must
 * not let them choose for the recipient; and a link that differs only by its token counts as one.
 * @param base PUBLIC_URL
 */
export function hideTokens(address: string, base: string): string {
  const bases = [base, encodeURIComponent(base)].map((each) => RegExp.escape(each)).join('|');
  const link = new RegExp(`((?:${bases})(?:/|%2F)(?:u|view|preferences|confirm)(?:/|%2F))[\\w.-]+`, 'gi');
  return address.replace(link, '$1hidden');
}
