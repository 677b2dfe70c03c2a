/** Compiles pieces to closures that write a text (docs/decisions/0013-templates-are-not-compiled-to-code.md). */

import { compileExpression, compileStrict, type Names, rootScope, type Scope } from './expressions.ts';
import {
  afterText,
  afterValue,
  contextAt,
  HTML_START,
  type HtmlContext,
  type ValueContext,
} from './html-context.ts';
import type { Output } from './output.ts';
import type { OpenPiece, Piece, ValuePiece } from './pieces.ts';
import { htmlToText } from './skeleton.ts';
import { toText } from './values.ts';

/** A compiled part. */
export type Program = (scope: Scope, output: Output) => void;

/** Escaping of values in a part. */
export type Escaping = 'html' | 'none' | 'derived';

/** Contexts of the values of an HTML part, for deriving its plain text. */
export type ValueContexts = Map<Piece, ValueContext>;

/** Length from which sharing a text of the template costs less than copying it. */
const SHARED_LENGTH = 1024;

/**
 * Compiles a part. `html` escapes values by context and records the contexts. `none` does not escape. `derived` is the
 * plain text of an HTML part: only values in the query of an address are encoded, as in the HTML.
 * @throws TemplateFault of kind syntax.
 */
export function compileProgram(
  pieces: readonly Piece[],
  escaping: Escaping,
  contexts: ValueContexts,
): Program {
  const assembler = new Assembler(pieces, escaping, contexts);
  return assembler.readSequence([]);
}

class Assembler {
  readonly #pieces: readonly Piece[];
  readonly #escaping: Escaping;
  readonly #contexts: ValueContexts;
  #index = 0;
  #place: HtmlContext = HTML_START;

  constructor(pieces: readonly Piece[], escaping: Escaping, contexts: ValueContexts) {
    this.#pieces = pieces;
    this.#escaping = escaping;
    this.#contexts = contexts;
  }

  /** Compiles the pieces up to the else or close of the enclosing block, or to the end. */
  readSequence(names: Names): Program {
    const programs: Program[] = [];
    for (;;) {
      const piece = this.#pieces[this.#index];
      if (piece === undefined || piece.kind === 'else' || piece.kind === 'close') break;
      this.#index += 1;
      programs.push(this.#readPiece(piece, names));
    }
    return inSequence(programs);
  }

  #readPiece(piece: Exclude<Piece, { kind: 'else' | 'close' }>, names: Names): Program {
    if (piece.kind === 'open') return this.#readBlock(piece, names);
    if (piece.kind === 'value') return this.#readValue(piece, names);
    const { text } = piece;
    if (this.#escaping === 'html') this.#place = afterText(this.#place, text);
    if (this.#escaping === 'html' && text.length >= SHARED_LENGTH) {
      const shared = { text };
      return (_scope, output) => output.share(shared);
    }
    return (_scope, output) => {
      output.text += text;
    };
  }

  #readValue(piece: ValuePiece, names: Names): Program {
    const ofBlock = compileStrict(piece.node, piece.isFromRoot ? [] : names);
    const evaluate = piece.isFromRoot ? (scope: Scope) => ofBlock(rootScope(scope.root)) : ofBlock;
    const escapeValue = this.#escapeFor(piece);
    return (scope, output) => {
      const value = evaluate(scope);
      output.text += escapeValue(typeof value === 'string' ? value : toText(value));
    };
  }

  #escapeFor(piece: ValuePiece): (text: string) => string {
    if (this.#escaping === 'none') return unescaped;
    if (this.#escaping === 'derived') {
      if (piece.raw) return this.#contexts.get(piece) === 'text' ? htmlToText : unescaped;
      return this.#contexts.get(piece) === 'query' ? encodeQuery : unescaped;
    }
    const context = contextAt(this.#place);
    this.#contexts.set(piece, context);
    this.#place = afterValue(this.#place);
    return piece.raw ? unescaped : ESCAPES[context];
  }

  #readBlock(open: OpenPiece, names: Names): Program {
    const hasScope = open.type !== 'if' && open.type !== 'unless';
    const before = this.#place;
    const inner = this.readSequence(hasScope ? [open.names, ...names] : names);
    let elseProgram: Program = nothing;
    if (this.#pieces[this.#index]?.kind === 'else') {
      this.#index += 1;
      this.#place = before;
      elseProgram = this.readSequence(names);
    }
    this.#index += 1;
    return compileBlock(open, names, inner, elseProgram);
  }
}

const nothing: Program = () => {};
const unescaped = (text: string): string => text;

function inSequence(programs: readonly Program[]): Program {
  const [only] = programs;
  if (only === undefined) return nothing;
  if (programs.length === 1) return only;
  return (scope, output) => {
    for (const program of programs) program(scope, output);
  };
}

/**
 * Compiles a block. Conditions may be undefined (docs/specification/templates.md#template-language); the value of every
 * other block must be defined.
 */
function compileBlock(open: OpenPiece, names: Names, inner: Program, elseProgram: Program): Program {
  const { type, argument, includeZero } = open;
  if (type === 'if' || type === 'unless') {
    const condition = compileExpression(argument, names);
    const [whenTrue, whenFalse] = type === 'if' ? [inner, elseProgram] : [elseProgram, inner];
    return (scope, output) => {
      const value = condition(scope);
      (isTrue(value) || (includeZero && value === 0) ? whenTrue : whenFalse)(scope, output);
    };
  }
  const evaluate = compileStrict(argument, names);
  const runBlock = BLOCK_RUNNERS[type];
  return (scope, output) => {
    if (!runBlock(evaluate(scope), scope, output, inner)) elseProgram(scope, output);
  };
}

/** Runs the content of a block for its value; returns false if the value is empty. */
type BlockRunner = (value: unknown, scope: Scope, output: Output, inner: Program) => boolean;

const BLOCK_RUNNERS: Readonly<Record<'each' | 'with' | 'section', BlockRunner>> = {
  each: (value, scope, output, inner) => {
    if (typeof value !== 'object' || value === null) return false;
    const keys = Array.isArray(value) ? null : Object.keys(value);
    const items: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    for (let index = 0; index < items.length; index += 1) {
      output.turn();
      const key = keys === null ? index : keys[index];
      const loop = { key, index, first: index === 0, last: index === items.length - 1 };
      inner(scopeOf(scope, items[index], loop, [items[index], key]), output);
    }
    return items.length > 0;
  },
  with: (value, scope, output, inner) => {
    if (!isTrue(value) && value !== 0) return false;
    inner(scopeOf(scope, value, null, [value]), output);
    return true;
  },
  /** `{{#x}}`: once for true or an object, once per item of a list, never for false, null or an empty list. */
  section: (value, scope, output, inner) => {
    if (Array.isArray(value)) return BLOCK_RUNNERS.each(value, scope, output, inner);
    if (value === false || value === null) return false;
    inner(scopeOf(scope, value === true ? scope.context : value, null, []), output);
    return true;
  },
};

function scopeOf(parent: Scope, context: unknown, loop: Scope['loop'], named: readonly unknown[]): Scope {
  return { context, parent, root: parent.root, loop, named };
}

/** True by Handlebars' rules: not false, null, undefined, '', 0 or an empty list. */
function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

const ESCAPES: Readonly<Record<ValueContext, (text: string) => string>> = {
  text: (text) => escapeBy(text, /[&<>"']/g),
  quoted: (text) => escapeBy(text, /[&<>"']/g),
  unquoted: (text) => escapeBy(text, /[&<>"'`=\s/]/g),
  query: encodeQuery,
};

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

function escapeBy(text: string, pattern: RegExp): string {
  return text.replace(
    pattern,
    (character) => ENTITIES[character] ?? `&#x${character.charCodeAt(0).toString(16)};`,
  );
}

/** Encodes a value for a query; also safe inside single and double quotes. */
function encodeQuery(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("'", '%27');
}
