/**
 * Divides the style sheets of an email into rules that can become `style` attributes and rules that must stay:
 * at-rules, states and pseudo-elements, and selectors for mail programs that match nothing in the message
 * (`[data-ogsc]`, `#outlook a`).
 */
import { splitRules, splitSelectors } from './css-rules.ts';

/** HTML whose style elements contain only the rules that must stay, and the rules for `style` attributes. */
export interface DividedStyles {
  readonly html: string;
  readonly inlinable: string;
}

/** Pseudo-classes that depend on the document alone. */
const STRUCTURAL =
  /:(?:(?:first|last|only)-(?:child|of-type)|nth-(?:last-)?(?:child|of-type)\([\s\dn+-]{1,40}\)|nth-(?:last-)?(?:child|of-type)\(\s*(?:odd|even)\s*\)|empty|root)(?![\w-])/gi;
const CUSTOM_PROPERTY = /(?:^|[;{\s])--[\w-]+\s*:/;
/** Attribute selector: its name and value. */
const ATTRIBUTE =
  /\[\s*([\w-]+)\s*(?:[~|^$*]?=\s*(?:"([^"]{0,200})"|'([^']{0,200})'|([^\]\s]{0,200}))[^\]]{0,20})?\]/g;
/** Name that no element or class has. */
const UNUSED_NAME = 'tessera-nobody';
const MEDIA = /\smedia\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i;
const EMBEDDED = /\sdata-embed(?=[\s=>])/i;

/**
 * Divides the style sheets of HTML; style elements that stay are marked `data-embed`, so that the inliner ignores them.
 */
export function divideStyles(html: string): DividedStyles {
  const sheets = findSheets(html);
  const body = sheets.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(end), html);
  const markup = { names: namesIn(body), text: body.toLowerCase() };
  const inlined: string[] = [];
  let divided = '';
  let from = 0;
  for (const { start, end, tag, css } of sheets) {
    divided += html.slice(from, start);
    from = end;
    if (isOfOtherMedia(tag) || EMBEDDED.test(tag)) {
      divided += EMBEDDED.test(tag) ? html.slice(start, end) : embedded(tag, css);
      continue;
    }
    const remaining: string[] = [];
    for (const { prelude, block } of splitRules(css)) {
      const selectors = block === null || prelude.startsWith('@') ? null : splitSelectors(prelude);
      if (selectors === null) {
        remaining.push(block === null ? `${prelude};` : `${prelude}{${block}}`);
        continue;
      }
      const [inlinable, kept] = [
        selectors.filter((each) => isInlinable(each, markup)),
        selectors.filter((each) => !isInlinable(each, markup)),
      ];
      // Rules that stay may use the custom properties that this one sets.
      if (CUSTOM_PROPERTY.test(block ?? '')) remaining.push(`${prelude}{${block}}`);
      else if (kept.length > 0) remaining.push(`${kept.join(',')}{${block}}`);
      if (inlinable.length > 0) inlined.push(`${inlinable.map(withSpecificity).join(',')}{${block}}`);
    }
    if (remaining.length > 0) divided += embedded(tag, `\n${remaining.join('\n')}\n`);
  }
  return { html: divided + html.slice(from), inlinable: inlined.join('\n') };
}

/** True if the style element is for other media than screens; it stays unchanged. */
function isOfOtherMedia(tag: string): boolean {
  const [, ...values] = MEDIA.exec(tag) ?? [];
  const media = values.find((value) => value !== undefined) ?? 'all';
  return !['', 'all', 'screen'].includes(media.trim().toLowerCase());
}

interface Sheet {
  readonly start: number;
  readonly end: number;
  /** `<style ...>`. */
  readonly tag: string;
  readonly css: string;
}

/** Finds the style elements outside of comments, which only Outlook reads. */
function findSheets(html: string): Sheet[] {
  const sheets: Sheet[] = [];
  const opening = /<!--|<style(?=[\s>])[^>]{0,2000}>/gi;
  for (let found = opening.exec(html); found !== null; found = opening.exec(html)) {
    const isComment = found[0] === '<!--';
    const after = found.index + found[0].length;
    const closing = isComment ? '-->' : '</style>';
    const close = isComment ? html.indexOf(closing, after) : indexOfClosing(html, after);
    if (close < 0) return sheets;
    const end = close + closing.length;
    if (!isComment) sheets.push({ start: found.index, end, tag: found[0], css: html.slice(after, close) });
    opening.lastIndex = end;
  }
  return sheets;
}

function indexOfClosing(html: string, from: number): number {
  const closing = /<\/style>/gi;
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? -1;
}

function embedded(tag: string, css: string): string {
  return `${tag.slice(0, -1)} data-embed>${css}</style>`;
}

/** Returns the names of elements, attributes, classes and ids in a document, and harmless other words. */
function namesIn(body: string): ReadonlySet<string> {
  return new Set(body.toLowerCase().match(/[\w-]+/g) ?? []);
}

/** The document without its style sheets, in lower case. */
interface Markup {
  readonly names: ReadonlySet<string>;
  readonly text: string;
}

/**
 * True if a selector depends on the document only and may match an element of it. The inliner loses rules that match
 * nothing. It adds no elements, unlike the HTML parsers of mail programs: `tbody td` needs a `tbody` in the source.
 */
function isInlinable(selector: string, { names, text }: Markup): boolean {
  const plain = selector.replace(/:not\(([^():]{1,200})\)/gi, ' ').replace(STRUCTURAL, ' ');
  for (const [, , ...values] of plain.matchAll(ATTRIBUTE))
    if (values.some((value) => value !== undefined && !text.includes(value.toLowerCase()))) return false;
  const positive = plain.replace(ATTRIBUTE, ' $1 ');
  if (/[^\w\s.#*>+~-]/.test(positive)) return false;
  const requiredNames = positive.toLowerCase().match(/[\w-]+/g) ?? [];
  return requiredNames.every((name) => names.has(name));
}

/**
 * Corrects the specificity of a selector: the inliner counts a pseudo-class like an element, CSS counts it like a
 * class. `:not()` of an unused name adds a class per pseudo-class, and elements up to the same number in all selectors.
 */
function withSpecificity(selector: string): string {
  const pseudos = (selector.match(STRUCTURAL) ?? []).length;
  const end =
    `:not(.${UNUSED_NAME})`.repeat(pseudos) +
    `:not(${UNUSED_NAME})`.repeat(Math.max(0, MAX_PSEUDOS - pseudos));
  return selector + end;
}

/** Number of pseudo-classes in a selector up to which its specificity is exact. */
const MAX_PSEUDOS = 3;
