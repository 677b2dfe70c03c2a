/**
 * A template as a flat list of texts, values and block delimiters, with its snippets inserted. It is flat because CSS
 * inlining and plain-text generation work on text: a placeholder word replaces each value and delimiter.
 */
import { isNode, nameOf, parseTemplate, positionOf } from './parse-template.ts';
import { renderFault, syntaxFault } from './template-fault.ts';

/** Types of blocks: Handlebars' own, and sections, whose effect depends on the type of the value. */
export type BlockType = 'if' | 'unless' | 'each' | 'with' | 'section';

/** Writes a value; unescaped if `raw`. */
export interface ValuePiece {
  readonly kind: 'value';
  readonly node: hbs.AST.Node;
  readonly raw: boolean;
  /** The value is read from the root of the data, regardless of enclosing blocks. */
  readonly isFromRoot?: true;
}

/** Begins a block; an optional `else` and a `close` of the same depth follow. */
export interface OpenPiece {
  readonly kind: 'open';
  readonly type: BlockType;
  readonly argument: hbs.AST.Node;
  /** `as |name name|`. */
  readonly names: readonly string[];
  /** `includeZero=true` of an if: 0 counts as true. */
  readonly includeZero: boolean;
}

/** One element of a template: text, a value, or a delimiter of a block. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | ValuePiece
  | OpenPiece
  | { readonly kind: 'else' }
  | { readonly kind: 'close' };

/** Maximum nesting depth of snippets. */
const MAX_SNIPPET_DEPTH = 5;
/** Maximum number of pieces: nested snippets can multiply without bound. */
const MAX_PIECES = 100_000;
/** Maximum text of a template with its snippets, in characters. */
const MAX_TEXT = 10 * 1024 * 1024;
const MAX_BLOCK_DEPTH = 100;

/**
 * Parses a part of a template, such as the subject, and inserts its snippets.
 * @param snippets contents by name; null skips snippets, to check the syntax of the text itself.
 * @throws TemplateFault.
 */
export function readPieces(
  text: string,
  snippets: Readonly<Record<string, string>> | null,
): readonly Piece[] {
  const reader = new PieceReader(snippets);
  reader.read(parseTemplate(text));
  return reader.pieces;
}

class PieceReader {
  readonly pieces: Piece[] = [];
  readonly #snippets: Readonly<Record<string, string>> | null;
  readonly #parsed = new Map<string, hbs.AST.Program>();
  readonly #including: string[] = [];
  #textLength = 0;
  #blockDepth = 0;

  constructor(snippets: Readonly<Record<string, string>> | null) {
    this.#snippets = snippets;
  }

  read(program: hbs.AST.Program | undefined | null): void {
    for (const node of program?.body ?? []) {
      if (isNode(node, 'ContentStatement')) this.#add({ kind: 'text', text: node.value });
      else if (isNode(node, 'MustacheStatement')) this.#readMustache(node);
      else if (isNode(node, 'BlockStatement')) this.#readBlock(node);
      else if (node.type !== 'CommentStatement')
        throw syntaxFault('Partials and decorators are not supported; use a snippet', positionOf(node));
    }
  }

  #add(piece: Piece): void {
    if (piece.kind === 'text') this.#textLength += piece.text.length;
    if (this.pieces.length >= MAX_PIECES || this.#textLength > MAX_TEXT)
      throw renderFault('The template is too large');
    if (piece.kind !== 'text' || piece.text !== '') this.pieces.push(piece);
  }

  #readMustache(node: hbs.AST.MustacheStatement): void {
    const { path, params, hash } = node;
    if (nameOf(path) === 'snippet' && params.length > 0) {
      this.#include(node);
      return;
    }
    const isCall = params.length > 0 || hash !== undefined;
    if (!isCall && !isNode(path, 'PathExpression'))
      throw syntaxFault('A tag must name a variable or a function', positionOf(node));
    this.#add({ kind: 'value', node: isCall ? node : path, raw: !node.escaped });
  }

  #include(node: hbs.AST.MustacheStatement): void {
    const name = includedName(node);
    if (name === null) throw syntaxFault('"snippet" needs the name of one snippet', positionOf(node));
    if (this.#snippets === null) return;
    const content = Object.hasOwn(this.#snippets, name) ? this.#snippets[name] : undefined;
    if (content === undefined) throw renderFault(`The snippet "${name}" does not exist`, positionOf(node));
    if (this.#including.includes(name)) {
      const cycle = [...this.#including.slice(this.#including.indexOf(name)), name].join(' → ');
      throw renderFault(`The snippets form a cycle: ${cycle}`, positionOf(node));
    }
    if (this.#including.length >= MAX_SNIPPET_DEPTH)
      throw renderFault(`Snippets are nested deeper than ${MAX_SNIPPET_DEPTH} levels`, positionOf(node));
    const program = this.#parsed.get(name) ?? parseTemplate(content, name);
    this.#parsed.set(name, program);
    this.#including.push(name);
    this.read(program);
    this.#including.pop();
  }

  #readBlock(node: hbs.AST.BlockStatement): void {
    this.#blockDepth += 1;
    if (this.#blockDepth > MAX_BLOCK_DEPTH)
      throw syntaxFault(`Blocks are nested deeper than ${MAX_BLOCK_DEPTH} levels`, positionOf(node));
    // An inverted section ({{^x}}) has its first branch in `inverse`.
    this.#add(readOpening(node));
    this.read(node.program);
    if (node.inverse) {
      this.#add({ kind: 'else' });
      this.read(node.inverse);
    }
    this.#add({ kind: 'close' });
    this.#blockDepth -= 1;
  }
}

/** Returns the snippet's name: a quoted text, or several words that form one name. Null for anything else. */
function includedName({ params, hash }: hbs.AST.MustacheStatement): string | null {
  if (hash !== undefined) return null;
  const isQuoted = params.length === 1 && params[0]?.type === 'StringLiteral';
  // Handlebars parses `true` and `2024` as literals.
  const areWords = params.every((param) =>
    isNode(param, 'PathExpression', 'NumberLiteral', 'BooleanLiteral'),
  );
  return isQuoted || areWords ? params.map(nameOf).join(' ') : null;
}

const NAMED_BLOCKS: ReadonlyMap<string, BlockType> = new Map(
  (['if', 'unless', 'each', 'with'] as const).map((type) => [type, type]),
);

function readOpening(node: hbs.AST.BlockStatement): OpenPiece {
  const { path, params, hash, program, inverse } = node;
  const fault = (message: string) => syntaxFault(message, positionOf(node));
  const name = nameOf(path);
  const [argument] = params;
  const options = hash?.pairs ?? [];
  const names = (program ?? inverse)?.blockParams ?? [];
  const type = NAMED_BLOCKS.get(name);
  if (argument === undefined) {
    if (!isNode(path, 'PathExpression') || type !== undefined || options.length > 0 || names.length > 0)
      throw fault(`The block "${name}" needs a value`);
    return { kind: 'open', type: 'section', argument: path, names, includeZero: false };
  }
  if (type === undefined) throw fault(`The block "${name}" is unknown; use if, unless, each or with`);
  if (params.length > 1) throw fault(`The block "${name}" takes one value`);
  if (!program) throw fault(`Write {{#${name}}} instead of {{^${name}}}`);
  const isCondition = type === 'if' || type === 'unless';
  const unknown = options.find(
    ({ key, value }) => key !== 'includeZero' || value.type !== 'BooleanLiteral' || !isCondition,
  );
  if (unknown) throw fault(`The block "${type}" has no option "${unknown.key}"`);
  const includeZero = options.some(({ value }) => nameOf(value) === 'true');
  return { kind: 'open', type, argument, names, includeZero };
}
