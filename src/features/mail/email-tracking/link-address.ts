/** Reads the target of an `href` and decides if the link can be tracked. */
import { decodeHTMLAttribute } from 'entities';
import { LRUCache } from 'lru-cache';

const REFERENCE = /&(?:#(x?[\da-f]+)|[a-z][a-z\d]*)(?:;|=)?/gi;
/** LRU cache of values: most links of a message are the same for every recipient. */
const cache = new LRUCache<string, { readonly address: string | null }>({ max: 1000 });
/** Longest cached value, in characters. */
const MAX_CACHED = 2000;
/** Characters that URL parsers strip: controls and spaces at the ends, tabs and line breaks anywhere (WHATWG URL). */
const SURROUNDING_BLANKS = /^[\0-\x20]+|(?<![\0-\x20])[\0-\x20]+$/g;

/** Longest target in bytes. Its token is a third longer, and proxies reject paths over 8,192 bytes. */
const MAX_BYTES = 5000;

/**
 * Returns the web address of an attribute's value unchanged, parameters in their order and spelling. Returns null for
 * other links (`mailto:`, `tel:`, `#part`, relative paths), long addresses and ambiguous references. Such a link stays
 * untracked, which is better than a wrong target.
 */
export function readLinkAddress(attributeValue: string): string | null {
  const cached = cache.get(attributeValue);
  if (cached !== undefined) return cached.address;
  const address = parseAddress(attributeValue);
  if (attributeValue.length <= MAX_CACHED) cache.set(attributeValue, { address });
  return address;
}

function parseAddress(attributeValue: string): string | null {
  const text = decodeReferences(attributeValue)
    ?.replace(SURROUNDING_BLANKS, '')
    .replace(/[\t\r\n]/g, '');
  if (text === undefined || !/^https?:\/\//i.test(text)) return null;
  if (Buffer.byteLength(text) > MAX_BYTES) return null;
  return text.isWellFormed() && URL.canParse(text) ? text : null;
}

/** Decodes the character references of an attribute once; null if one is ambiguous. */
function decodeReferences(value: string): string | null {
  if (!value.includes('&')) return value;
  let isUnambiguous = true;
  const text = value.replace(REFERENCE, (reference, number?: string) => {
    const decoded = decodeHTMLAttribute(reference);
    // Ambiguous: numbers that browsers map to other characters, and names of non-ASCII characters.
    isUnambiguous &&=
      decoded === reference || (number === undefined ? isAscii(decoded) : matchesNumber(decoded, number));
    return decoded;
  });
  return isUnambiguous ? text : null;
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text);
}

function matchesNumber(character: string, number: string): boolean {
  return character.codePointAt(0) === Number(/^x/i.test(number) ? `0${number}` : number);
}

/**
 * Replaces the tokens of our own links in an address and its parameters. Staff who read click events must not be able
 * to act for the recipient, and links that differ only by token count as one.
 * @param base PUBLIC_URL
 */
export function hideTokens(address: string, base: string): string {
  const bases = [base, encodeURIComponent(base)].map((each) => RegExp.escape(each)).join('|');
  const link = new RegExp(`((?:${bases})(?:/|%2F)(?:u|view|preferences|confirm)(?:/|%2F))[\\w.-]+`, 'gi');
  return address.replace(link, '$1hidden');
}
