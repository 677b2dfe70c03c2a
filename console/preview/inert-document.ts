/** Elements that run, load or lead somewhere else, or change how the page is read. */
const UNWANTED = 'script, base, meta, link, iframe, frame, frameset, object, embed';
/** Attributes with an address that a browser could follow. */
const ADDRESSES = ['href', 'xlink:href', 'src', 'action', 'formaction', 'data'];

/**
 * Parses HTML without its scripts, event handlers and redirects. The policy of the frame stops scripts and handlers
 * too, but not redirects.
 */
export function parseInert(html: string): Document {
  const parsed = new DOMParser().parseFromString(html, 'text/html');
  for (const element of parsed.querySelectorAll(UNWANTED)) element.remove();
  // Shown like in mail programs, which run no scripts.
  for (const element of parsed.querySelectorAll('noscript')) element.replaceWith(...element.childNodes);
  for (const element of parsed.querySelectorAll('*'))
    for (const { name, value } of [...element.attributes])
      if (isActive(name.toLowerCase(), value)) element.removeAttribute(name);
  return parsed;
}

function isActive(name: string, value: string): boolean {
  if (name.startsWith('on') || name === 'autofocus') return true;
  const base = 'https://x/';
  return (
    ADDRESSES.includes(name) && URL.canParse(value, base) && new URL(value, base).protocol === 'javascript:'
  );
}
