/** UTM parameters in the links of a campaign (docs/specification/campaigns.md#who-receives). */

/** Values of the UTM parameters. */
export interface LinkLabels {
  /** The campaign's code. */
  readonly campaign: string;
  /** The email's id. */
  readonly content: string;
}

/** Position and text of the labels to insert into an address; empty if it has all of them. */
interface LabelPlace {
  readonly at: number;
  readonly text: string;
}

/** Adds the missing labels to an address; the rest of the address stays unchanged. */
export function labelLink(address: string, labels: LinkLabels): string {
  const { at, text } = placeLabels(address, labels);
  return address.slice(0, at) + text + address.slice(at);
}

/** Returns the text of a click token: the labelled address, and the position of its labels for removing them. */
export function linkToken(address: string, labels: LinkLabels | undefined): string {
  if (labels === undefined) return address;
  const { at, text } = placeLabels(address, labels);
  return text === '' ? address : `${at},${text.length} ${labelLink(address, labels)}`;
}

/** Reads the text of a click token: the target of the link, and the address as written, without our labels. */
export function readLinkToken(token: string): { url: string; originalUrl: string } {
  const [prefix, at, length] = /^(\d+),(\d+) (?=https?:)/i.exec(token) ?? [];
  if (prefix === undefined) return { url: token, originalUrl: token };
  const url = token.slice(prefix.length);
  const originalUrl = url.slice(0, Number(at)) + url.slice(Number(at) + Number(length));
  return { url, originalUrl };
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

/** Escapes text for an attribute value in double quotes. */
export function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
