/**
 * A template as a flat sequence of texts, values and block marks, its snippets put in. Flat, because what is done to
 * the HTML before it is compiled (CSS, plain text) works on text, in which every other piece is a word.
 */
import type { TemplatePart } from './contract.ts';
import { isPath, nameOf, type Written } from './expressions.ts';
import { parseTemplate, placeOf, type TemplateText } from './parse-template.ts';
import { renderFault, syntaxFault } from './template-fault.ts';

/** The blocks there are: Handlebars' own, and its sections, which depend on the value's type. */
export type BlockType = 'if' | 'unless' | 'each' | 'with' | 'section' | 'inverted';

/** Writes a value; `raw` as it is. */
export interface ValuePiece {
  readonly kind: 'value';
  readonly written: Written;
  readonly raw: boolean;
  /** The value is of the whole data, whatever blocks it stands in. */
  readonly isOfRoot?: true;
}

/** Begins a block; an `else` at most and a `close` of the same depth follow. */
export interface OpenPiece {
  readonly kind: 'open';
  readonly type: BlockType;
  readonly argument: Written;
  /** `as |name name|`. */
  readonly names: readonly string[];
  /** `includeZero=true` of an if: 0 counts as true. */
  readonly includeZero: boolean;
}

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | ValuePiece
  | OpenPiece
  | { readonly kind: 'else' }
  | { readonly kind: 'close' };

/** How deep snippets may include snippets. */
const MAX_SNIPPET_DEPTH = 5;
/** Snippets that include others many times over grow without bound: a template may have this many pieces … */
const MAX_PIECES = 100_000;
/** … and this much text, in characters. */
const MAX_TEXT = 10 * 1024 * 1024;
const MAX_BLOCK_DEPTH = 100;

/** Reads a part with all its snippets. @throws TemplateFault. */
export function readPieces(
  part: TemplatePart,
  text: string,
  snippets: Readonly<Record<string, string>>,
): readonly Piece[] {
  const reader = new PieceReader(part, snippets);
  reader.readText({ part, snippet: null, text });
  return reader.pieces;
}

/** Reads a part or a snippet without what it includes, to see whether it can be read. @throws TemplateFault. */
export function checkSyntax(text: TemplateText): readonly Piece[] {
  const reader = new PieceReader(text.part, null);
  reader.readText(text);
  return reader.pieces;
}

class PieceReader {
  readonly pieces: Piece[] = [];
  readonly #part: TemplatePart;
  /** Null: inclusions are left out. */
  readonly #snippets: Readonly<Record<string, string>> | null;
  readonly #parsed = new Map<string, hbs.AST.Program>();
  readonly #including: string[] = [];
  #textLength = 0;
  #blockDepth = 0;

  constructor(part: TemplatePart, snippets: Readonly<Record<string, string>> | null) {
    this.#part = part;
    this.#snippets = snippets;
  }

  readText(text: TemplateText): void {
    this.#readProgram(parseTemplate(text), text);
  }

  #readProgram(program: hbs.AST.Program, from: Written['from']): void {
    for (const statement of program.body) this.#readStatement(statement, from);
  }

  #readStatement(node: hbs.AST.Statement, from: Written['from']): void {
    if (isContent(node)) this.#addText(node.value);
    else if (isMustache(node)) this.#readMustache(node, from);
    else if (isBlock(node)) this.#readBlock(node, from);
    else if (node.type !== 'CommentStatement')
      throw syntaxFault('Partials and decorators are not supported; use a snippet', placeOf(node, from));
  }

  #addText(text: string): void {
    if (text === '') return;
    this.#textLength += text.length;
    if (this.#textLength > MAX_TEXT) throw renderFault('The template is too large', { part: this.#part });
    this.#add({ kind: 'text', text });
  }

  #add(piece: Piece): void {
    if (this.pieces.length >= MAX_PIECES)
      throw renderFault('The template is too large', { part: this.#part });
    this.pieces.push(piece);
  }

  #readMustache(node: hbs.AST.MustacheStatement, from: Written['from']): void {
    if (nameOf(node.path) === 'snippet' && node.params.length > 0) {
      this.#include(node, from);
      return;
    }
    const isCall = node.params.length > 0 || node.hash !== undefined;
    if (!isCall && !isPath(node.path))
      throw syntaxFault('A tag must name a variable or a function', placeOf(node, from));
    this.#add({ kind: 'value', written: { node: isCall ? node : node.path, from }, raw: !node.escaped });
  }

  #include(node: hbs.AST.MustacheStatement, from: Written['from']): void {
    const place = placeOf(node, from);
    const name = includedName(node);
    if (name === null) throw syntaxFault('snippet takes the name of one snippet', place);
    if (this.#snippets === null) return;
    const content = Object.hasOwn(this.#snippets, name) ? this.#snippets[name] : undefined;
    if (content === undefined) throw renderFault(`There is no snippet "${name}"`, place);
    if (this.#including.includes(name)) {
      const circle = [...this.#including.slice(this.#including.indexOf(name)), name].join(' → ');
      throw renderFault(`Snippets include each other in a circle: ${circle}`, place);
    }
    if (this.#including.length >= MAX_SNIPPET_DEPTH)
      throw renderFault(`Snippets are nested deeper than ${MAX_SNIPPET_DEPTH} levels`, place);
    const inner = { part: from.part, snippet: name };
    const program = this.#parsed.get(name) ?? parseTemplate({ ...inner, text: content });
    this.#parsed.set(name, program);
    this.#including.push(name);
    this.#readProgram(program, inner);
    this.#including.pop();
  }

  #readBlock(node: hbs.AST.BlockStatement, from: Written['from']): void {
    this.#blockDepth += 1;
    if (this.#blockDepth > MAX_BLOCK_DEPTH)
      throw syntaxFault(`Blocks are nested deeper than ${MAX_BLOCK_DEPTH} levels`, placeOf(node, from));
    // A section that begins inverted ({{^x}}) has its only branch in `inverse`.
    const [first, second] = withoutGap(node.program, node.inverse);
    this.#add(openingOf(node, from, node.program === undefined || node.program === null));
    if (first) this.#readProgram(first, from);
    if (second) {
      this.#add({ kind: 'else' });
      this.#readProgram(second, from);
    }
    this.#add({ kind: 'close' });
    this.#blockDepth -= 1;
  }
}

/** The snippet's name: one text in quotes, or words that are one name together. Null when it is neither. */
function includedName({ params, hash }: hbs.AST.MustacheStatement): string | null {
  if (hash !== undefined) return null;
  const isQuoted = params.length === 1 && params[0]?.type === 'StringLiteral';
  return isQuoted || params.every(isWord) ? params.map(nameOf).join(' ') : null;
}

/** Handlebars reads `true` and `2024` as values. */
function isWord(node: hbs.AST.Expression): boolean {
  return isPath(node) || ['NumberLiteral', 'BooleanLiteral'].includes(node.type);
}

type Branch = hbs.AST.Program | undefined | null;

function withoutGap(first: Branch, second: Branch): readonly [Branch, Branch] {
  return first ? [first, second] : [second, null];
}

function openingOf(node: hbs.AST.BlockStatement, from: Written['from'], isInverted: boolean): OpenPiece {
  const place = placeOf(node, from);
  const name = nameOf(node.path);
  const [param] = node.params;
  const hash = node.hash?.pairs ?? [];
  const names = (node.program ?? node.inverse)?.blockParams ?? [];
  if (param === undefined) {
    if (!isPath(node.path) || BLOCK_TYPES.has(name) || hash.length > 0 || names.length > 0)
      throw syntaxFault(`The block "${name}" needs a value`, place);
    const argument = { node: node.path, from };
    return { kind: 'open', type: isInverted ? 'inverted' : 'section', argument, names, includeZero: false };
  }
  const type = BLOCK_TYPES.get(name);
  if (type === undefined) throw syntaxFault(`There is no block "${name}" that takes a value`, place);
  if (node.params.length > 1) throw syntaxFault(`The block "${name}" takes one value`, place);
  if (isInverted) throw syntaxFault(`Write {{#${name}}} instead of {{^${name}}}`, place);
  const argument = { node: param, from };
  return { kind: 'open', type, argument, names, includeZero: readIncludeZero(hash, type, place) };
}

const BLOCK_TYPES: ReadonlyMap<string, BlockType> = new Map([
  ['if', 'if'],
  ['unless', 'unless'],
  ['each', 'each'],
  ['with', 'with'],
]);

function readIncludeZero(
  hash: readonly hbs.AST.HashPair[],
  type: BlockType,
  place: Parameters<typeof syntaxFault>[1],
): boolean {
  let includeZero = false;
  for (const { key, value } of hash) {
    if (key !== 'includeZero' || value.type !== 'BooleanLiteral' || (type !== 'if' && type !== 'unless'))
      throw syntaxFault(`The block "${type}" has no option "${key}"`, place);
    includeZero = nameOf(value) === 'true';
  }
  return includeZero;
}

function isContent(node: hbs.AST.Statement): node is hbs.AST.ContentStatement {
  return node.type === 'ContentStatement';
}

function isMustache(node: hbs.AST.Statement): node is hbs.AST.MustacheStatement {
  return node.type === 'MustacheStatement';
}

function isBlock(node: hbs.AST.Statement): node is hbs.AST.BlockStatement {
  return node.type === 'BlockStatement';
}
