/** The reply of the last server in what another one tells of it: reports quote reports. */

/** A reply begins after such words, or after the punctuation that Exim and Exchange put before one. */
const BEFORE_REPLY =
  /(?:\bsaid:?|\bsays:?|\bwas:|returned:?|replied:?|answered:?|respon(?:ded|se)(?: with)?:?|error:?|failed:|reason:|<<<|smtp;|[>\])]:|(?<!\S)#)\s{0,40}['"‘“([]{0,2}(?=[45]\d\d(?:[ -]|$)|[45]\.\d{1,3}\.\d{1,3} )/gi;
const MAX_REPLY = 2000;
const END_OF_REPLY = /\r?\n[ \t]{0,80}\r?\n/;
const CODE = /(?<![\d.:/[-])([45]\d\d)(?=[ -]|$)/;

/** Returns the innermost reply that a text quotes; null when it quotes none. */
export function quotedReply(text: string): string | null {
  let start = -1;
  for (const found of text.matchAll(BEFORE_REPLY)) start = found.index + found[0].length;
  if (start < 0) return null;
  const reply = text.slice(start, start + MAX_REPLY);
  const end = END_OF_REPLY.exec(reply)?.index;
  return end === undefined ? reply : reply.slice(0, end);
}

/** Returns the first SMTP reply code in a text; null when it has none. */
export function replyCodeIn(text: string): number | null {
  const found = CODE.exec(text);
  return found === null ? null : Number(found[1]);
}

const URLS = /\bhttps?:\/\/[^\s<>"')]{1,2000}/g;
const ADDRESSES = /<[^\s<>@]{0,64}@[^\s<>@]{0,255}>|[^\s<>"'(),:;@]{1,64}@[\w.-]{1,255}/g;
/** Codes at the beginning of lines, which go through the sentences of replies. */
const CODES = /(?<![\d.])[45]\d\d(?:[- ]|$)|\(?#?(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])\)?/g;

/** Returns a reply as patterns see it: lower case, no codes and links, `@` for addresses, on one line. */
export function wordsOf(reply: string): string {
  return reply
    .toLowerCase()
    .replace(URLS, ' ')
    .replace(ADDRESSES, '@')
    .replace(CODES, ' ')
    .replace(/[‘’´`]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}
