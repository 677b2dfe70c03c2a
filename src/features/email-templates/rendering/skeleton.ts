/**
 * HTML with a word in place of each value and block mark: what CSS inlining and the derivation of plain text work
 * on. Afterwards the words are put back. A block inside a tag or a style sheet is one word as a whole, because what
 * it contains is no HTML by itself.
 */
import { randomBytes } from 'node:crypto';
import { convert, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import juice from 'juice';
import { afterText, afterValue, HTML_START, type HtmlPlace, IN_STYLE } from './html-place.ts';
import type { Piece } from './pieces.ts';
import { divideStyles } from './style-rules.ts';

interface Word {
  readonly pieces: readonly Piece[];
  readonly isInStyle: boolean;
  /** Begins, divides or ends a block. */
  readonly isMark: boolean;
}

/** HTML with words in place of values and block marks, and what each word stands for. */
class Skeleton {
  html = '';
  /** Whether the style sheets depend on blocks, and so hold only where they are. */
  hasConditionalStyles = false;
  // Lower-case letters and digits pass unchanged through HTML and CSS parsers; nobody can guess the word.
  readonly #nonce = `t${randomBytes(8).toString('hex')}`;
  readonly #word = new RegExp(`${this.#nonce}x(\\d+)x`, 'g');
  readonly #words: Word[] = [];

  constructor(pieces: readonly Piece[]) {
    let place = HTML_START;
    let depth = 0;
    for (let index = 0; index < pieces.length; ) {
      const piece = pieces[index];
      const isWhole = piece?.kind === 'open' && place !== HTML_START;
      const end = isWhole ? endOfBlock(pieces, index) : index + 1;
      const replaced = pieces.slice(index, end);
      if (piece?.kind === 'text') this.html += piece.text;
      else {
        const isInStyle = place === IN_STYLE;
        const isMark = piece?.kind !== 'value' && !isWhole;
        this.hasConditionalStyles ||= isInStyle && (depth > 0 || piece?.kind !== 'value');
        if (isMark) depth += piece?.kind === 'open' ? 1 : piece?.kind === 'close' ? -1 : 0;
        this.html += `${this.#nonce}x${this.#words.length}x`;
        this.#words.push({ pieces: isInStyle ? replaced.map(toRoot) : replaced, isInStyle, isMark });
      }
      place = afterPieces(place, replaced);
      index = end;
    }
  }

  /** A text with the pieces in place of their words. */
  restore(text: string): readonly Piece[] {
    const pieces: Piece[] = [];
    let from = 0;
    for (const match of text.matchAll(this.#word)) {
      if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) });
      pieces.push(...(this.#words[Number(match[1])]?.pieces ?? []));
      from = match.index + match[0].length;
    }
    if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
    return pieces;
  }

  /** Whether a text has all words that stand outside of style sheets, as often as the HTML. */
  isWhole(text: string): boolean {
    const found = Map.groupBy(text.matchAll(this.#word), ([, index]) => Number(index));
    return (
      this.#words.every(({ isInStyle }, index) => isInStyle || found.get(index)?.length === 1) &&
      isBalanced(this.restore(text))
    );
  }

  /** As Handlebars does: a line that holds nothing but block marks is not a line of the result. */
  joinMarkLines(text: string): string {
    const words = new RegExp(`^[ \\t]*(?:${this.#nonce}x\\d+x[ \\t]*)+(?:\\n|$)`, 'gm');
    const isMark = ([, index]: RegExpExecArray) => this.#words[Number(index)]?.isMark;
    return text.replaceAll(words, (line) =>
      [...line.matchAll(this.#word)].every(isMark) ? line.trim() : line,
    );
  }
}

/**
 * The pieces with the rules of style sheets moved into `style` attributes, as far as they can be; the others stay. HTML that this cannot be done to without
 * loss, such as values in odd places, stays as it is.
 */
export function inlineStyles(pieces: readonly Piece[]): readonly Piece[] {
  const skeleton = new Skeleton(pieces);
  if (!/<style/i.test(skeleton.html) || skeleton.hasConditionalStyles) return pieces;
  try {
    const { html, inlinable } = divideStyles(skeleton.html);
    const inlined = juice(html, { extraCss: inlinable });
    return skeleton.isWhole(inlined) ? skeleton.restore(inlined) : pieces;
  } catch {
    return pieces;
  }
}

/** The pieces of the plain text that says what the HTML says; null when its blocks do not survive that. */
export function toPlainText(pieces: readonly Piece[]): readonly Piece[] | null {
  const skeleton = new Skeleton(pieces);
  const restored = skeleton.restore(skeleton.joinMarkLines(htmlToText(skeleton.html)));
  return isBalanced(restored) ? restored : null;
}

/** Plain text of an HTML text: no wrapping, links with their address, of images only the words of linked ones. */
export function htmlToText(html: string): string {
  return convert(html, TEXT_OPTIONS).replaceAll(/(?<![ \t])[ \t]+$/gm, '');
}

/** The words of an image that stands for the words of a link. */
const linkedImage: FormatCallback = (image, _walk, builder) => {
  const words = image.attribs.alt?.trim() ?? '';
  if (words !== '' && isInLink(image)) builder.addInline(` ${words} `);
};

function isInLink({ parent }: Parameters<FormatCallback>[0]): boolean {
  for (let above = parent; above; above = above.parent) if (above.name === 'a') return true;
  return false;
}

const TEXT_OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { linkedImage },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'linkedImage' },
    // Rows are lines, cells words of them; most tables of e-mails are layout.
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'inlineSurround', options: { suffix: ' ' } },
    { selector: 'th', format: 'inlineSurround', options: { suffix: ' ' } },
  ],
};

/** A value of a style sheet keeps its meaning wherever its rule goes. */
function toRoot(piece: Piece): Piece {
  return piece.kind === 'value' ? { ...piece, isOfRoot: true } : piece;
}

/** Whether every block that begins also ends, and the other way round. */
function isBalanced(pieces: readonly Piece[]): boolean {
  let depth = 0;
  for (const { kind } of pieces) {
    if (kind === 'open') depth += 1;
    else if (kind === 'close') depth -= 1;
    if (depth < 0 || (kind === 'else' && depth === 0)) return false;
  }
  return depth === 0;
}

/** The index after the block that begins at `start`. */
function endOfBlock(pieces: readonly Piece[], start: number): number {
  let depth = 0;
  for (let index = start; index < pieces.length; index += 1) {
    if (pieces[index]?.kind === 'open') depth += 1;
    else if (pieces[index]?.kind === 'close') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return pieces.length;
}

function afterPieces(place: HtmlPlace, pieces: readonly Piece[]): HtmlPlace {
  return pieces.reduce((at, piece) => {
    if (piece.kind === 'text') return afterText(at, piece.text);
    return piece.kind === 'value' ? afterValue(at) : at;
  }, place);
}
