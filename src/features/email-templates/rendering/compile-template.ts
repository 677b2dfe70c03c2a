/** From a source to something that renders messages; runs in a rendering thread only. */
import type { RenderResult, RenderSource, TemplatePart } from './contract.ts';
import type { Scope } from './expressions.ts';
import { checkSyntax, type Piece, readPieces } from './pieces.ts';
import { compileProgram, type Output, type Program, type ValueContexts } from './program.ts';
import { htmlToText, inlineStyles, toPlainText } from './skeleton.ts';
import { renderFault, type TemplateFault, toTemplateError } from './template-fault.ts';

/** Output of one render at most, in bytes of UTF-8 over all parts (decisions section 6). */
const MAX_OUTPUT_BYTES = 10 * 1024 * 1024;
/** Loops look at the clock once in so many turns. */
const TURNS_PER_LOOK = 256;

/** A source ready to render. */
export interface CompiledTemplate {
  /** Renders one message. Never throws; a render over `maxMs` or the output limit is an error. */
  readonly render: (data: unknown, maxMs: number) => RenderResult;
}

interface Programs {
  readonly subject: Program;
  readonly html: Program;
  readonly text: Program | 'none' | 'from html';
}

/**
 * Compiles a source. `onStep` is called between the stages, each of which may take long.
 * @throws TemplateFault when it cannot be read, or includes what it cannot.
 */
export function compileTemplate(
  source: RenderSource,
  inlineCss: boolean,
  onStep: () => void,
): CompiledTemplate {
  const { snippets, generateText } = source;
  const subject = compileProgram(readPieces('subject', source.subject, snippets), 'none', new Map());
  onStep();
  const written = readPieces('html', source.html, snippets);
  onStep();
  const pieces = inlineCss ? inlineStyles(written) : written;
  onStep();
  const contexts: ValueContexts = new Map();
  const html = compileProgram(pieces, 'html', contexts);
  onStep();
  const text = generateText ? compileDerived(pieces, contexts) : compileText(source);
  return { render: (data, maxMs) => render({ subject, html, text }, data, maxMs) };
}

/** Reads the parts of a source without its snippets. @throws TemplateFault of kind syntax. */
export function checkTemplate({ subject, html, text }: RenderSource): void {
  const parts: readonly [TemplatePart, string | null][] = [
    ['subject', subject],
    ['html', html],
    ['text', text],
  ];
  for (const [part, content] of parts) {
    if (content === null) continue;
    compileProgram(checkSyntax({ part, snippet: null, text: content }), 'none', new Map());
  }
}

function compileText({ text, snippets }: RenderSource): Programs['text'] {
  return text === null ? 'none' : compileProgram(readPieces('text', text, snippets), 'none', new Map());
}

function compileDerived(pieces: readonly Piece[], contexts: ValueContexts): Programs['text'] {
  const derived = toPlainText(pieces);
  return derived === null ? 'from html' : compileProgram(derived, 'derived', contexts);
}

function render(programs: Programs, data: unknown, maxMs: number): RenderResult {
  const scope: Scope = { context: data, parent: null, root: data, loop: null, named: [] };
  const budget = new Budget(maxMs);
  let part: TemplatePart = 'subject';
  try {
    // A subject is one line, whatever the data hold: a line break would begin another header.
    const subject = budget.run(part, programs.subject, scope).replaceAll(/[\r\n]+/g, ' ');
    part = 'html';
    const html = budget.run(part, programs.html, scope);
    part = 'text';
    return { ok: true, subject, html, text: renderText(programs.text, scope, html, budget) };
  } catch (thrown) {
    return { ok: false, error: toTemplateError(thrown, part) };
  }
}

function renderText(text: Programs['text'], scope: Scope, html: string, budget: Budget): string | null {
  if (text === 'none') return null;
  if (text === 'from html') return htmlToText(html);
  return tidy(budget.run('text', text, scope));
}

/** Blocks that write nothing leave empty lines. */
function tidy(text: string): string {
  return text.includes('\n\n\n') ? text.replaceAll(/\n{3,}/g, '\n\n') : text;
}

/** What the parts of one render may take together. */
class Budget {
  readonly #maxMs: number;
  readonly #end: number;
  #bytes = 0;
  #turns = 0;
  #part: TemplatePart = 'subject';

  constructor(maxMs: number) {
    this.#maxMs = maxMs;
    this.#end = performance.now() + maxMs;
  }

  run(part: TemplatePart, program: Program, scope: Scope): string {
    this.#part = part;
    const output: Output = { text: '', turn: () => this.#turn(output.text.length) };
    program(scope, output);
    this.#count(output.text);
    return output.text;
  }

  #turn(length: number): void {
    if (this.#bytes + length > MAX_OUTPUT_BYTES) throw this.#tooLarge();
    this.#turns += 1;
    if (this.#turns % TURNS_PER_LOOK === 0 && performance.now() > this.#end)
      throw renderFault(`Rendering took longer than ${this.#maxMs} ms`, { part: this.#part });
  }

  #count(text: string): void {
    // A UTF-16 unit is at most three bytes of UTF-8: most outputs need no exact count.
    const isNear = this.#bytes + text.length * 3 > MAX_OUTPUT_BYTES;
    this.#bytes += isNear && text.length <= MAX_OUTPUT_BYTES ? Buffer.byteLength(text) : text.length;
    if (this.#bytes > MAX_OUTPUT_BYTES) throw this.#tooLarge();
  }

  #tooLarge(): TemplateFault {
    return renderFault('The rendered message is larger than 10 MiB', { part: this.#part });
  }
}
