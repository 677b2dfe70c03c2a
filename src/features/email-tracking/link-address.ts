/** What the value of an `href` leads to, and whether following it may be counted. */
import { LRUCache } from 'lru-cache';

/** The references that occur in addresses. */
const KNOWN: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
/** What browsers also read as a reference without its semicolon (HTML, named character references). */
const LEGACY = new Set(
  `AElig AMP Aacute Acirc Agrave Aring Atilde Auml COPY Ccedil ETH Eacute Ecirc Egrave Euml GT Iacute Icirc Igrave Iuml
  LT Ntilde Oacute Ocirc Ograve Oslash Otilde Ouml QUOT REG THORN Uacute Ucirc Ugrave Uuml Yacute aacute acirc acute
  aelig agrave amp aring atilde auml brvbar ccedil cedil cent copy curren deg divide eacute ecirc egrave eth euml frac12
  frac14 frac34 gt iacute icirc iexcl igrave iquest iuml laquo lt macr micro middot nbsp not ntilde oacute ocirc ograve
  ordf ordm oslash otilde ouml para plusmn pound quot raquo reg sect shy sup1 sup2 sup3 szlig thorn times uacute ucirc
  ugrave uml uuml yacute yen yuml`.split(/\s+/),
);
const REFERENCE = /&(?:#(?:x([\da-f]+)|(\d+));?|([a-z][a-z\d]*)(;|=)?)/gi;
const MAX_CODE_POINT = 0x10ffff;
/** Values that were read lately: most links of a message are the same for every recipient. */
const read = new LRUCache<string, { readonly address: string | null }>({ max: 1000 });
/** Longer values are read anew, so that those remembered stay small, in characters. */
const MAX_REMEMBERED = 2000;
/** What a URL parser takes off: controls and spaces at the ends, tabs and line breaks anywhere (WHATWG URL). */
const AROUND = /^[\0-\x20]+|[\0-\x20]+$/g;

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
  const text = value.replace(
    REFERENCE,
    (whole: string, hex?: string, decimal?: string, name?: string, end?: string) => {
      const meant = name === undefined ? characterOf(hex, decimal) : meaningOf(whole, name, end);
      isClear &&= meant !== null;
      return meant ?? whole;
    },
  );
  return isClear ? text : null;
}

/** Numbers that browsers replace by other characters are in doubt. */
function characterOf(hex: string | undefined, decimal: string | undefined): string | null {
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isReplaced = code === 0 || code === 0x0d || (code >= 0x80 && code <= 0x9f) || code > MAX_CODE_POINT;
  return isReplaced || (code >= 0xd800 && code <= 0xdfff) ? null : String.fromCodePoint(code);
}

function meaningOf(whole: string, name: string, end: string | undefined): string | null {
  // `&copy=1` is a parameter (HTML, named character reference state).
  if (end === '=' || (end === undefined && !LEGACY.has(name))) return whole;
  return KNOWN[name] ?? null;
}
