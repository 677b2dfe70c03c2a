/** Finds the innermost SMTP reply in a report, because reports quote other servers' reports. */

/** Words before a quoted reply, and the punctuation that Exim and Exchange write there. */
const BEFORE_REPLY =
  /(?:\bsaid:?|\bsays:?|\bwas:|returned:?|replied:?|answered:?|respon(?:ded|se)(?: with)?:?|error:?|failed:|reason:|follows:|<<<|->|smtp;|[>\])]:|(?<!\S)#)\s{0,40}['"‘“([]{0,2}(?=[45]\d\d(?:[ -]|$)|[45]\.\d{1,3}\.\d{1,3} )/gi;
const MAX_REPLY = 2000;
const END_OF_REPLY = /\r?\n[ \t]{0,80}\r?\n/;
const CODE = /(?<![\d.:/[-])([45]\d\d)(?=[ -]|$)/;

/** Returns the innermost quoted reply of a text; null without one. */
export function quotedReply(text: string): string | null {
  let start = -1;
  for (const found of text.matchAll(BEFORE_REPLY)) start = found.index + found[0].length;
  if (start < 0) return null;
  const reply = text.slice(start, start + MAX_REPLY);
  const end = END_OF_REPLY.exec(reply)?.index;
  return end === undefined ? reply : reply.slice(0, end);
}

/** Returns the first SMTP reply code in a text; null without one. */
export function replyCodeIn(text: string): number | null {
  const found = CODE.exec(text);
  return found === null ? null : Number(found[1]);
}

const URLS = /\bhttps?:\/\/[^\s<>"')]{1,2000}/g;
const ADDRESSES = /<[^\s<>@]{0,64}@[^\s<>@]{0,255}>|[^\s<>"'(),:;@]{1,64}@[\w.-]{1,255}/g;
/** Codes at line starts, which interrupt the sentences of multi-line replies. */
const CODES = /(?<![\d.])[45]\d\d(?:[- ]|$)|\(?#?(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])\)?/g;

/** Normalizes a reply for the patterns: lower case, no codes or links, `@` for addresses, one line. */
export function normalizeReply(reply: string): string {
  return reply
    .toLowerCase()
    .replace(URLS, ' ')
    .replace(ADDRESSES, '@')
    .replace(CODES, ' ')
    .replace(/[‘’´`]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}
