/** Handlebars' own parser: syntax, whitespace control and locations are its; nothing of it runs templates here. */
import Handlebars from 'handlebars';
import type { TemplatePart } from './contract.ts';
import { type Place, syntaxFault } from './template-fault.ts';

/** A part or snippet to read. */
export interface TemplateText {
  readonly part: TemplatePart;
  readonly snippet: string | null;
  readonly text: string;
}

/** Reads a template. @throws TemplateFault of kind syntax. */
export function parseTemplate({ part, snippet, text }: TemplateText): hbs.AST.Program {
  try {
    return Handlebars.parse(text);
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error;
    throw syntaxFault(describe(error.message), { part, snippet, ...locate(error) });
  }
}

/** The place of a node, 1-based. */
export function placeOf(node: hbs.AST.Node, { part, snippet }: Omit<TemplateText, 'text'>): Place {
  return { part, snippet, line: node.loc.start.line, column: node.loc.start.column + 1 };
}

/** The parser tells a place in words only, the AST's own checks also in numbers. */
function locate(error: Error): { line?: number; column?: number } {
  if ('lineNumber' in error && 'column' in error) {
    const { lineNumber, column } = error;
    if (typeof lineNumber === 'number' && typeof column === 'number')
      return { line: lineNumber, column: column + 1 };
  }
  const line = /^(?:Parse|Lexical) error on line (\d+)/.exec(error.message)?.[1];
  return line === undefined ? {} : { line: Number(line) };
}

function describe(message: string): string {
  const got = /, got '([^']*)'\s*$/.exec(message)?.[1];
  if (got === 'EOF' || got === 'INVALID') return 'The template does not parse: something is left open';
  if (got !== undefined) return `The template does not parse: unexpected ${TOKENS[got] ?? got}`;
  if (/^(?:Parse|Lexical) error/.test(message)) return 'The template does not parse';
  return `The template does not parse: ${message.replace(/ - \d+:\d+$/, '')}`;
}

/** What the parser's tokens look like. */
const TOKENS: Readonly<Record<string, string>> = {
  CLOSE: '"}}"',
  CLOSE_UNESCAPED: '"}}}"',
  OPEN_ENDBLOCK: '"{{/"',
  INVERSE: '"{{else}}"',
  OPEN_INVERSE_CHAIN: '"{{else"',
  OPEN: '"{{"',
  OPEN_BLOCK: '"{{#"',
  OPEN_UNESCAPED: '"{{{"',
  CLOSE_RAW_BLOCK: '"}}}}"',
  SEP: '"/"',
  EQUALS: '"="',
};
