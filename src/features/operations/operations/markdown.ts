import { posix } from 'node:path';
import { Marked } from 'marked';
import { Html, html } from '../../../http/html.ts';

/** Matches empty table headers. */
const EMPTY_HEAD = /<thead>\s*<tr>\s*(?:<th[^>]*>\s*<\/th>\s*)+<\/tr>\s*<\/thead>/g;

/**
 * Renders the project's own Markdown as HTML; HTML in it is shown as text. `resolveLink` converts a link to a URL for the
 * browser; null: the link has no target, and only its text is shown.
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
      // Wide content scrolls separately on phones, also by keyboard.
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

/** Returns the repository path of a linked file, from the root of the repository; null for other sites. */
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

/** Returns the anchor of a heading, as repository sites create it: lower-case, no punctuation, hyphens for spaces. */
export function anchorOf(heading: string): string {
  return heading
    .replace(/<[^>]+>|&\w+;/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
