/** Parses templates with the Handlebars parser. The Handlebars runtime is not used. */
import Handlebars from 'handlebars';
import { syntaxFault, type TemplatePosition } from './template-fault.ts';

/** Parses a template or a snippet. @throws TemplateFault of kind syntax. */
export function parseTemplate(text: string, snippet?: string): hbs.AST.Program {
  try {
    return Handlebars.parse(text, snippet === undefined ? {} : { srcName: snippet });
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error;
    throw syntaxFault(describe(error.message), {
      ...(snippet === undefined ? {} : { snippet }),
      ...positionOfError(error),
    });
  }
}

/** Returns the place of a node. */
export function positionOf({ loc }: hbs.AST.Node): TemplatePosition {
  const { start, source } = loc;
  const position = { line: start.line, column: start.column + 1 };
  return source === undefined ? position : { snippet: source, ...position };
}

/** Returns a variable, function or literal as written in the template. */
export function nameOf(node: hbs.AST.Node): string {
  if (isNode(node, 'PathExpression')) return node.original;
  if (isNode(node, 'SubExpression', 'MustacheStatement')) return nameOf(node.path);
  return isNode(node, 'StringLiteral', 'NumberLiteral', 'BooleanLiteral') ? String(node.value) : node.type;
}

/** Node types of templates. */
interface Nodes {
  ContentStatement: hbs.AST.ContentStatement;
  MustacheStatement: hbs.AST.MustacheStatement;
  BlockStatement: hbs.AST.BlockStatement;
  PathExpression: hbs.AST.PathExpression;
  SubExpression: hbs.AST.SubExpression;
  StringLiteral: hbs.AST.StringLiteral;
  NumberLiteral: hbs.AST.NumberLiteral;
  BooleanLiteral: hbs.AST.BooleanLiteral;
}

/** True if the node is of one of these types. */
export function isNode<T extends keyof Nodes>(node: hbs.AST.Node, ...types: readonly T[]): node is Nodes[T] {
  return types.some((type) => type === node.type);
}

/** Returns the place of a parse error: the parser gives the line in the message, checks of the AST give numbers. */
function positionOfError(error: Error): TemplatePosition {
  if ('lineNumber' in error && 'column' in error) {
    const { lineNumber, column } = error;
    if (typeof lineNumber === 'number' && typeof column === 'number')
      return { line: lineNumber, column: column + 1 };
  }
  const line = /^(?:Parse|Lexical) error on line (\d+)/.exec(error.message)?.[1];
  return line === undefined ? {} : { line: Number(line) };
}

function describe(message: string): string {
  const token = /, got '([^']*)'\s*$/.exec(message)?.[1];
  if (token === 'EOF' || token === 'INVALID')
    return 'The template does not parse: a block or tag is not closed';
  if (token !== undefined) return `The template does not parse: unexpected ${TOKENS[token] ?? token}`;
  if (/^(?:Parse|Lexical) error/.test(message)) return 'The template does not parse';
  return `The template does not parse: ${message.replace(/ - \d+:\d+$/, '')}`;
}

/** The parser's tokens as written in templates. */
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
