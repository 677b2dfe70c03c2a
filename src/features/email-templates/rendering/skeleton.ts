/**
 * HTML with a word in place of each value and block mark: what CSS inlining and the derivation of plain text work
 * on. Afterwards the words are put back. A block inside a tag or a style sheet is one word as a whole, because what
 * it contains is no HTML by itself.
 */
import { randomBytes } from 'node:crypto';
import { convert, type HtmlToTextOptions } from 'html-to-text';
import juice from 'juice';
import { afterText, afterValue, HTML_START, type HtmlPlace, IN_STYLE } from './html-place.ts';
import type { Piece } from './pieces.ts';

/** HTML with words, and what each word stands for. */
export interface Skeleton {
  readonly html: string;
  readonly restore: (text: string) => readonly Piece[];
  /** Whether a text has all words that stand outside of style sheets, as often as the HTML. */
  readonly isWhole: (text: string) => boolean;
  /** As Handlebars does: a line that holds nothing but block marks is not a line of the result. */
  readonly joinMarkLines: (text: string) => string;
  /** Whether the style sheets depend on blocks, and so hold only where they are. */
  readonly hasConditionalStyles: boolean;
}

interface Word {
  readonly pieces: readonly Piece[];
  readonly isInStyle: boolean;
  /** Begins, divides or ends a block. */
  readonly isMark: boolean;
}

/** Puts words in place of values and block marks. */
export function toSkeleton(pieces: readonly Piece[]): Skeleton {
  // Lower-case letters and digits pass unchanged through HTML and CSS parsers; nobody can guess the word.
  const nonce = `t${randomBytes(8).toString('hex')}`;
  const words: Word[] = [];
  let html = '';
  let place = HTML_START;
  let depth = 0;
  let hasConditionalStyles = false;
  for (let index = 0; index < pieces.length; ) {
    const piece = pieces[index];
    if (piece?.kind === 'text') {
      html += piece.text;
      place = afterText(place, piece.text);
      index += 1;
      continue;
    }
    const end = piece?.kind === 'open' && place !== HTML_START ? endOfBlock(pieces, index) : index + 1;
    html += `${nonce}x${words.length}x`;
    const replaced = pieces.slice(index, end);
    const isMark = piece?.kind !== 'value' && replaced.length === 1;
    const isInStyle = place === IN_STYLE;
    hasConditionalStyles ||= isInStyle && (depth > 0 || piece?.kind !== 'value');
    if (isMark) depth += piece?.kind === 'open' ? 1 : piece?.kind === 'close' ? -1 : 0;
    words.push({ pieces: isInStyle ? replaced.map(toRoot) : replaced, isInStyle, isMark });
    place = afterPieces(place, replaced);
    index = end;
  }
  const wordPattern = new RegExp(`${nonce}x(\\d+)x`, 'g');
  return {
    html,
    hasConditionalStyles,
    restore: (text) => restore(text, wordPattern, words),
    isWhole: (text) => isWhole(text, wordPattern, words),
    joinMarkLines: (text) =>
      text.replaceAll(new RegExp(`^[ \\t]*(?:${nonce}x\\d+x[ \\t]*)+(?:\\n|$)`, 'gm'), (line) =>
        [...line.matchAll(wordPattern)].every(([, index]) => words[Number(index)]?.isMark)
          ? line.trim()
          : line,
      ),
  };
}

/**
 * The pieces with the rules of style sheets moved into `style` attributes. HTML that this cannot be done to without
 * loss, such as values in odd places, stays as it is.
 */
export function inlineStyles(pieces: readonly Piece[]): readonly Piece[] {
  const skeleton = toSkeleton(pieces);
  if (!/<style/i.test(skeleton.html) || skeleton.hasConditionalStyles) return pieces;
  try {
    const inlined = juice(skeleton.html);
    return skeleton.isWhole(inlined) ? skeleton.restore(inlined) : pieces;
  } catch {
    return pieces;
  }
}

/** The pieces of the plain text that says what the HTML says; null when its blocks do not survive that. */
export function toPlainText(pieces: readonly Piece[]): readonly Piece[] | null {
  const skeleton = toSkeleton(pieces);
  const restored = skeleton.restore(skeleton.joinMarkLines(htmlToText(skeleton.html)));
  return isBalanced(restored) ? restored : null;
}

/** Plain text of an HTML text: no wrapping, links with their address, no images. */
export function htmlToText(html: string): string {
  return convert(html, TEXT_OPTIONS).replaceAll(/(?<![ \t])[ \t]+$/gm, '');
}

const TEXT_OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
    { selector: 'img', format: 'skip' },
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

function restore(text: string, pattern: RegExp, words: readonly Word[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (match.index > from) pieces.push({ kind: 'text', text: text.slice(from, match.index) });
    pieces.push(...(words[Number(match[1])]?.pieces ?? []));
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

function isWhole(text: string, pattern: RegExp, words: readonly Word[]): boolean {
  const counts = new Map<number, number>();
  for (const [, index] of text.matchAll(pattern))
    counts.set(Number(index), (counts.get(Number(index)) ?? 0) + 1);
  return (
    words.every(({ isInStyle }, index) => isInStyle || counts.get(index) === 1) &&
    isBalanced(restore(text, pattern, words))
  );
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
