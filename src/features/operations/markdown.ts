import { posix } from 'node:path';
import { Marked } from 'marked';
import { Html, html } from '../../http/html.ts';

/** Heads of tables that name nothing. */
const EMPTY_HEAD = /<thead>\s*<tr>\s*(?:<th[^>]*>\s*<\/th>\s*)+<\/tr>\s*<\/thead>/g;

/**
 * Our own Markdown as HTML; HTML in it is shown as text. `resolveLink` turns what a link names into an address for the
 * browser, or null when nothing is there to follow: then only its text stays.
 */
export function renderMarkdown(text: string, resolveLink: (href: string) => string | null): Html {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const content = this.parser.parseInline(tokens);
        return `<h${depth} id="${anchorOf(content)}">${content}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const address = resolveLink(href);
        return address === null ? content : `<a href="${html`${address}`}">${content}</a>`;
      },
      html: ({ text: source }) => html`${source}`.toString(),
      // What can be wider than a phone scrolls by itself, by keyboard too.
      code: ({ text: source }) => html`<pre tabindex="0"><code>${source}</code></pre>\n`.toString(),
    },
  });
  const rendered = marked
    .parse(text, { async: false })
    .replace(EMPTY_HEAD, '')
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return new Html(rendered);
}

/** The address of a file of the repository that a page names, from the top of the repository; null for other sites. */
export function fileOfLink(
  page: string,
  href: string,
): { readonly file: string; readonly anchor: string } | null {
  if (/^[a-z]+:/i.test(href)) return null;
  const [path = '', anchor] = href.split('#');
  return {
    file: path === '' ? page : posix.join(posix.dirname(page), path),
    anchor: anchor === undefined ? '' : `#${anchor}`,
  };
}

/** The address of a heading, as sites that show repositories make them: lower-case, punctuation left out, spaces as hyphens. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/<[^>]+>|&\w+;/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
