/** Handlebars' own parser: syntax, whitespace control and locations are its; nothing of it runs templates here. */
import Handlebars from 'handlebars';
import { type Place, syntaxFault } from './template-fault.ts';

/** Reads a template or a snippet. @throws TemplateFault of kind syntax. */
export function parseTemplate(text: string, snippet?: string): hbs.AST.Program {
  try {
    return Handlebars.parse(text, snippet === undefined ? {} : { srcName: snippet });
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error;
    throw syntaxFault(describe(error.message), {
      ...(snippet === undefined ? {} : { snippet }),
      ...locate(error),
    });
  }
}

/** The place of a node. */
export function placeOf({ loc }: hbs.AST.Node): Place {
  const { start, source } = loc;
  const place = { line: start.line, column: start.column + 1 };
  return source === undefined ? place : { snippet: source, ...place };
}

/** A variable, function or literal as the template writes it. */
export function nameOf(node: hbs.AST.Node): string {
  if (isPath(node)) return node.original;
  if (isCall(node)) return nameOf(node.path);
  return isLiteral(node) ? String(node.value) : node.type;
}

/** Whether the node is a variable. */
export function isPath(node: hbs.AST.Node): node is hbs.AST.PathExpression {
  return node.type === 'PathExpression';
}

/** Whether the node calls a function. */
export function isCall(node: hbs.AST.Node): node is hbs.AST.SubExpression | hbs.AST.MustacheStatement {
  return node.type === 'SubExpression' || node.type === 'MustacheStatement';
}

/** Whether the node is a text, number or boolean. */
export function isLiteral(
  node: hbs.AST.Node,
): node is hbs.AST.StringLiteral | hbs.AST.NumberLiteral | hbs.AST.BooleanLiteral {
  return ['StringLiteral', 'NumberLiteral', 'BooleanLiteral'].includes(node.type);
}

/** The parser tells a place in words only, the AST's own checks also in numbers. */
function locate(error: Error): Place {
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
