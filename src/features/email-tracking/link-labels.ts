/** What links of a campaign tell the sites that they lead to (docs/specification/campaigns.md#who-receives). */

/** By whom a link was followed. */
export interface LinkLabels {
  /** The campaign's code. */
  readonly campaign: string;
  /** The e-mail's id. */
  readonly content: string;
}

/** The address with the labels that it does not have; what it has, and its spelling, stay. */
export function labelLink(address: string, { campaign, content }: LinkLabels): string {
  const [beforeHash = '', ...hash] = address.split(/(?=#)/);
  const query = beforeHash.includes('?') ? beforeHash.slice(beforeHash.indexOf('?') + 1) : '';
  const known = new URLSearchParams(query);
  const labels = [
    ['utm_source', 'email'],
    ['utm_medium', 'email'],
    ['utm_campaign', campaign],
    ['utm_content', content],
  ].filter(([name = '']) => !known.has(name));
  if (labels.length === 0) return address;
  const added = labels.map(([name, value]) => `${name}=${value}`).join('&');
  const separator = beforeHash.includes('?') ? (query === '' ? '' : '&') : '?';
  return `${beforeHash}${separator}${added}${hash.join('')}`;
}

/** Text as the value of an attribute in double quotes. */
export function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
