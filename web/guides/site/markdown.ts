import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { Html, html } from '../../../src/http/html.ts';
import { highlight } from './highlight.ts';

/** Matches empty table headers. */
const EMPTY_HEAD = /<thead>\s*<tr>\s*(?:<th[^>]*>\s*<\/th>\s*)+<\/tr>\s*<\/thead>/g;

/** Maximum length of code words that are not broken. */
const MAX_UNBROKEN = 32;

/** A heading of a page, and the text below it up to the next one. */
export interface Section {
  readonly depth: number;
  readonly heading: string;
  readonly anchor: string;
  readonly text: string;
}

/** An image as pages show it. */
export interface PageImage {
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

/** A rendered page. */
export interface RenderedPage {
  readonly title: string;
  readonly sections: readonly Section[];
  readonly content: Html;
}

/** Functions that find what a page refers to. */
export interface References {
  /** Converts a link to a URL for the browser; null: the link has no target, and only its text is shown. */
  readonly resolveLink: (href: string) => string | null;
  /** Reads an image. */
  readonly loadImage: (href: string) => Promise<PageImage>;
}

/** Renders the project's own Markdown; HTML in it is shown as text. @throws Error for an image without a text. */
export async function renderPage(
  source: string,
  { resolveLink, loadImage }: References,
): Promise<RenderedPage> {
  const nextAnchor = anchorsOfPage();
  const sections: { depth: number; heading: string; anchor: string; text: string }[] = [];
  const anchors = new Map<Tokens.Generic, string>();
  const blocks = new Map<Tokens.Generic, Html>();
  const images = new Map<string, PageImage>();
  const marked = new Marked({
    renderer: {
      heading(token) {
        const content = this.parser.parseInline(token.tokens);
        const anchor = anchors.get(token) ?? '';
        const link = `<a class="anchor" href="#${anchor}" aria-label="Link to this section"></a>`;
        return `<h${token.depth} id="${anchor}">${content}${token.depth === 1 ? '' : link}</h${token.depth}>\n`;
      },
      link({ href, tokens }) {
        const content = this.parser.parseInline(tokens);
        const address = resolveLink(href);
        return address === null ? content : `<a href="${html`${address}`}">${content}</a>`;
      },
      image: ({ href, text }) => imageElement(images.get(href), text),
      // Options such as --email are not broken at their hyphens.
      codespan: ({ text }) => html`<code>${text.split(/( +)/).map(toWord)}</code>`.toString(),
      html: ({ text }) => html`${text}`.toString(),
      code: (token) => codeBlock(token, blocks.get(token)),
    },
  });
  const tokens = marked.lexer(source);
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth <= 3) {
      const heading = plainText(token);
      const anchor = nextAnchor(heading);
      anchors.set(token, anchor);
      sections.push({ depth: token.depth, heading, anchor, text: '' });
    } else {
      const section = sections.at(-1);
      if (section) section.text += `${plainText(token)}\n`;
    }
  }
  await Promise.all(
    marked.walkTokens(tokens, async (token) => {
      if (token.type === 'code') blocks.set(token, await highlight(token.text, languageOf(token.lang)));
      if (token.type === 'image') images.set(token.href, await loadImage(token.href));
    }),
  );
  const content = marked
    .parser(tokens)
    .replace(EMPTY_HEAD, '')
    .replaceAll('<table>', '<div class="table" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return { title: sections[0]?.heading ?? '', sections, content: new Html(content) };
}

function toWord(word: string): Html | string {
  const isUnbroken = word.includes('-') && word.length <= MAX_UNBROKEN;
  return isUnbroken ? html`<span class="unbroken">${word}</span>` : word;
}

/** Wide code scrolls separately on phones, also by keyboard. */
function codeBlock({ text, lang }: Tokens.Code, code: Html | undefined): string {
  const language = languageOf(lang);
  return html`<div class="code" data-language="${language}"><pre tabindex="0"><code>${code ?? text}</code></pre></div>
`.toString();
}

/** Width and height are known before the image is loaded, so that nothing on the page moves. */
function imageElement(image: PageImage | undefined, text: string): string {
  if (image === undefined || text === '') throw new Error(`An image needs a text: ![text](${image?.src})`);
  const { src, width, height } = image;
  return html`<img src="${src}" width="${width}" height="${height}" alt="${text}" loading="lazy">`.toString();
}

/** Returns the language of a code block; the rest of its info string is for tests. */
function languageOf(fence: string | undefined): string {
  return fence?.split(/\s/)[0] ?? '';
}

/** Returns the text of a token for the search, without markup and URLs of links. */
function plainText(token: Tokens.Generic): string {
  if (token.type === 'table') {
    const rows: Tokens.TableCell[][] = [token.header, ...token.rows];
    return rows.map((row) => row.map(childText).join(' ')).join('\n');
  }
  if (token.type === 'list') return token.items.map(plainText).join('\n');
  return token.tokens ? childText(token) : decodeEntities(String(token.text ?? ' '));
}

function childText({ tokens = [] }: { readonly tokens?: Tokens.Generic[] }): string {
  return tokens.map(plainText).join(tokens.some(({ type }) => type === 'paragraph') ? '\n' : '');
}

function decodeEntities(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
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

/** Returns a function that creates the anchors of the headings of one page, like repository sites. */
export function anchorsOfPage(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = used.get(anchor) ?? 0;
    used.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
}
