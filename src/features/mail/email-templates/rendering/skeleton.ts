/**
 * HTML with a placeholder word for each value and block mark, as input of CSS inlining and of deriving plain text.
 * Afterwards the words are replaced again. A block inside a tag or a style sheet is one word, because its content is
 * not HTML by itself.
 */
import { randomBytes } from 'node:crypto';
import { convert, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';
import juice from 'juice';
import { afterText, afterValue, HTML_START, type HtmlContext, IN_STYLE } from './html-context.ts';
import type { Piece } from './pieces.ts';
import { divideStyles } from './style-rules.ts';

interface Word {
  readonly pieces: readonly Piece[];
  readonly isInStyle: boolean;
  /** True if the word begins, divides or ends a block. */
  readonly isMark: boolean;
}

/** HTML with placeholder words, and the pieces of each word. */
class Skeleton {
  html = '';
  /** True if style sheets depend on blocks, so that their rules cannot be moved. */
  hasConditionalStyles = false;
  // Lower-case letters and digits pass HTML and CSS parsers unchanged; random, so that no template contains the word.
  readonly #nonce = `t${randomBytes(8).toString('hex')}`;
  readonly #word = new RegExp(`${this.#nonce}x(\\d+)x`, 'g');
  readonly #words: Word[] = [];

  constructor(pieces: readonly Piece[]) {
    let context = HTML_START;
    let depth = 0;
    for (let index = 0; index < pieces.length; ) {
      const piece = pieces[index];
      const isBlockWord = piece?.kind === 'open' && context !== HTML_START;
      const end = isBlockWord ? endOfBlock(pieces, index) : index + 1;
      const replaced = pieces.slice(index, end);
      if (piece?.kind === 'text') this.html += piece.text;
      else {
        const isInStyle = context === IN_STYLE;
        const isMark = piece?.kind !== 'value' && !isBlockWord;
        this.hasConditionalStyles ||= isInStyle && (depth > 0 || piece?.kind !== 'value');
        if (isMark) depth += piece?.kind === 'open' ? 1 : piece?.kind === 'close' ? -1 : 0;
        this.html += `${this.#nonce}x${this.#words.length}x`;
        this.#words.push({ pieces: isInStyle ? replaced.map(toRoot) : replaced, isInStyle, isMark });
      }
      context = afterPieces(context, replaced);
      index = end;
    }
  }

  /** Replaces the words of a text by their pieces. */
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

  /** True if a text contains each word outside of style sheets exactly once, with balanced blocks. */
  containsAllWords(text: string): boolean {
    const found = Map.groupBy(text.matchAll(this.#word), ([, index]) => Number(index));
    return (
      this.#words.every(({ isInStyle }, index) => isInStyle || found.get(index)?.length === 1) &&
      isBalanced(this.restore(text))
    );
  }

  /** Joins lines that contain only block marks, as Handlebars does. */
  joinMarkLines(text: string): string {
    const words = new RegExp(`^[ \\t]*(?:${this.#nonce}x\\d+x[ \\t]*)+(?:\\n|$)`, 'gm');
    const isMark = ([, index]: RegExpExecArray) => this.#words[Number(index)]?.isMark;
    return text.replaceAll(words, (line) =>
      [...line.matchAll(this.#word)].every(isMark) ? line.trim() : line,
    );
  }
}

/**
 * Moves the rules of style sheets into `style` attributes where possible. HTML that inlining would damage, such as
 * values in unusual places, stays unchanged.
 */
export function inlineStyles(pieces: readonly Piece[]): readonly Piece[] {
  const skeleton = new Skeleton(pieces);
  if (!/<style/i.test(skeleton.html) || skeleton.hasConditionalStyles) return pieces;
  try {
    const { html, inlinable } = divideStyles(skeleton.html);
    const inlined = juice(html, { extraCss: inlinable });
    return skeleton.containsAllWords(inlined) ? skeleton.restore(inlined) : pieces;
  } catch {
    return pieces;
  }
}

/** Derives the plain text of HTML; null if its blocks do not survive. */
export function toPlainText(pieces: readonly Piece[]): readonly Piece[] | null {
  const skeleton = new Skeleton(pieces);
  const restored = skeleton.restore(skeleton.joinMarkLines(htmlToText(skeleton.html)));
  return isBalanced(restored) ? restored : null;
}

/** Converts HTML to plain text: no wrapping, links with their address, alternative texts of linked images only. */
export function htmlToText(html: string): string {
  return convert(html, TEXT_OPTIONS).replaceAll(/(?<![ \t])[ \t]+$/gm, '');
}

/** Writes the alternative text of an image inside a link. */
const linkedImage: FormatCallback = (image, _walk, builder) => {
  const words = image.attribs.alt?.trim() ?? '';
  if (words !== '' && isInLink(image)) builder.addInline(` ${words} `);
};

function isInLink({ parent }: Parameters<FormatCallback>[0]): boolean {
  for (let ancestor = parent; ancestor; ancestor = ancestor.parent) if (ancestor.name === 'a') return true;
  return false;
}

const TEXT_OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  formatters: { linkedImage },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'linkedImage' },
    // A row becomes a line: most tables in emails are layout.
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    { selector: 'td', format: 'inlineSurround', options: { suffix: ' ' } },
    { selector: 'th', format: 'inlineSurround', options: { suffix: ' ' } },
  ],
};

/** Makes a value of a style sheet independent of the block that its rule is moved to. */
function toRoot(piece: Piece): Piece {
  return piece.kind === 'value' ? { ...piece, isFromRoot: true } : piece;
}

/** True if every opened block is closed, and the other way round. */
function isBalanced(pieces: readonly Piece[]): boolean {
  let depth = 0;
  for (const { kind } of pieces) {
    if (kind === 'open') depth += 1;
    else if (kind === 'close') depth -= 1;
    if (depth < 0 || (kind === 'else' && depth === 0)) return false;
  }
  return depth === 0;
}

/** Returns the index after the block that begins at `start`. */
function endOfBlock(pieces: readonly Piece[], start: number): number {
  let depth = 0;
  for (let index = start; index < pieces.length; index += 1) {
    if (pieces[index]?.kind === 'open') depth += 1;
    else if (pieces[index]?.kind === 'close') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return pieces.length;
}

function afterPieces(context: HtmlContext, pieces: readonly Piece[]): HtmlContext {
  return pieces.reduce((current, piece) => {
    if (piece.kind === 'text') return afterText(current, piece.text);
    return piece.kind === 'value' ? afterValue(current) : current;
  }, context);
}
