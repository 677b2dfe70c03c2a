/** What links of a campaign tell the sites that they lead to (docs/specification/campaigns.md#who-receives). */

/** By whom a link was followed. */
export interface LinkLabels {
  /** The campaign's code. */
  readonly campaign: string;
  /** The e-mail's id. */
  readonly content: string;
}

/** An address and the labels to be put into it: none if it has all of them. */
interface LabelPlace {
  readonly at: number;
  readonly text: string;
}

/** The address with the labels that it does not have; what it has, and its spelling, stay. */
export function labelLink(address: string, labels: LinkLabels): string {
  const { at, text } = placeLabels(address, labels);
  return address.slice(0, at) + text + address.slice(at);
}

/** The text that a click token carries: the labelled address, and where its labels stand, so that they can be taken off. */
export function linkToken(address: string, labels: LinkLabels | undefined): string {
  if (labels === undefined) return address;
  const { at, text } = placeLabels(address, labels);
  return text === '' ? address : `${at},${text.length} ${labelLink(address, labels)}`;
}

/** Reads such a text: where the link leads, and its address as it was written, without our labels. */
export function readLinkToken(token: string): { url: string; written: string } {
  const [mark, at, length] = /^(\d+),(\d+) (?=https?:)/i.exec(token) ?? [];
  if (mark === undefined) return { url: token, written: token };
  const url = token.slice(mark.length);
  return { url, written: url.slice(0, Number(at)) + url.slice(Number(at) + Number(length)) };
}

function placeLabels(address: string, { campaign, content }: LinkLabels): LabelPlace {
  const at = address.includes('#') ? address.indexOf('#') : address.length;
  const beforeHash = address.slice(0, at);
  const query = beforeHash.includes('?') ? beforeHash.slice(beforeHash.indexOf('?') + 1) : '';
  const known = new URLSearchParams(query);
  const missing = [
    ['utm_source', 'email'],
    ['utm_medium', 'email'],
    ['utm_campaign', campaign],
    ['utm_content', content],
  ].filter(([name = '']) => !known.has(name));
  if (missing.length === 0) return { at, text: '' };
  const separator = beforeHash.includes('?') ? (query === '' ? '' : '&') : '?';
  return { at, text: separator + missing.map(([name, value]) => `${name}=${value}`).join('&') };
}

/** Text as the value of an attribute in double quotes. */
export function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
