/** Handlebars expressions compiled into closures that read plain data: own properties only, no calls but ours. */
import { placeOf, type TemplateText } from './parse-template.ts';
import { type Place, renderFault, syntaxFault, undefinedVariable } from './template-fault.ts';
import { ownValue, TEMPLATE_FUNCTIONS, type TemplateFunction } from './template-functions.ts';

/** Where a run is: the current object, and how it got there. */
export interface Scope {
  readonly context: unknown;
  readonly parent: Scope | null;
  readonly root: unknown;
  /** Values of the block's `as |name name|`. */
  readonly named: readonly unknown[];
  /** `@index`, `@key`, `@first`, `@last` of an each. */
  readonly loop: Readonly<Record<string, unknown>> | null;
}

/** What a run evaluates; undefined when no data defines it. */
export type Evaluate = (scope: Scope) => unknown;

/** The names of the enclosing blocks that make a scope, innermost first. */
export type Names = readonly (readonly string[])[];

/** An expression with where it was written. */
export interface Written {
  readonly node: hbs.AST.Node;
  readonly from: Omit<TemplateText, 'text'>;
}

/** Compiles an expression whose value must be defined. @throws TemplateFault of kind syntax. */
export function compileStrict(written: Written, names: Names): Evaluate {
  const evaluate = compileExpression(written, names);
  const place = placeOf(written.node, written.from);
  const shown = nameOf(written.node);
  return (scope) => {
    const value = evaluate(scope);
    if (value === undefined) throw undefinedVariable(shown, place);
    return value;
  };
}

/** Compiles an expression whose value may be undefined, as a condition's. @throws TemplateFault of kind syntax. */
export function compileExpression({ node, from }: Written, names: Names): Evaluate {
  if (isPath(node)) return compilePath(node, names);
  if (isCall(node)) return compileCall(node, from, names);
  if (isLiteral(node)) {
    const { value } = node;
    return () => value;
  }
  if (node.type === 'NullLiteral') return () => null;
  if (node.type === 'UndefinedLiteral') return () => undefined;
  throw syntaxFault(`The template uses what is not supported here: ${node.type}`, placeOf(node, from));
}

/** A mustache or sub-expression with arguments: one of the documented functions. */
function compileCall(
  node: hbs.AST.SubExpression | hbs.AST.MustacheStatement,
  from: Written['from'],
  names: Names,
): Evaluate {
  const place = placeOf(node, from);
  const name = nameOf(node.path);
  const called = TEMPLATE_FUNCTIONS.get(name);
  if (called === undefined || node.hash !== undefined)
    throw syntaxFault(`There is no function "${name}" that takes these arguments`, place);
  if (node.params.length !== called.arity) {
    const message = `${name} takes ${called.arity} argument${called.arity === 1 ? '' : 's'}, not ${node.params.length}`;
    throw syntaxFault(message, place);
  }
  const args = node.params.map((param) => compileStrict({ node: param, from }, names));
  return (scope) =>
    callAt(
      called,
      args.map((evaluate) => evaluate(scope)),
      place,
    );
}

function callAt(called: TemplateFunction, args: readonly unknown[], place: Place): unknown {
  try {
    return called.call(args);
  } catch (error) {
    throw error instanceof RangeError
      ? error
      : renderFault(error instanceof Error ? error.message : '', place);
  }
}

function compilePath(path: hbs.AST.PathExpression, names: Names): Evaluate {
  const { depth, original } = path;
  const [first, ...rest] = path.parts;
  if (path.data) return compileLoopVariable(path);
  if (first === undefined) return (scope) => ancestor(scope, depth)?.context;
  const isScoped = depth > 0 || /^(?:this|\.)(?:[./]|$)/.test(original);
  const block = isScoped ? -1 : names.findIndex((each) => each.includes(first));
  if (block >= 0) {
    const position = names[block]?.indexOf(first) ?? 0;
    return (scope) => follow(ancestor(scope, block)?.named[position], rest);
  }
  if (depth === 0 && rest.length === 0) return (scope) => ownValue(scope.context, first);
  return (scope) => follow(ownValue(ancestor(scope, depth)?.context, first), rest);
}

/** `@root…`, or a variable of the each that is `depth` levels out. */
function compileLoopVariable({ parts, depth }: hbs.AST.PathExpression): Evaluate {
  const [first = '', ...rest] = parts;
  if (first === 'root') return (scope) => follow(scope.root, rest);
  return (scope) => {
    let found = loopAround(scope);
    for (let level = 0; level < depth && found !== null; level += 1) found = loopAround(found.parent);
    return found === null ? undefined : follow(ownValue(found.loop, first), rest);
  };
}

function loopAround(scope: Scope | null): Scope | null {
  let current = scope;
  while (current !== null && current.loop === null) current = current.parent;
  return current;
}

function ancestor(scope: Scope, depth: number): Scope | null {
  let current: Scope | null = scope;
  for (let level = 0; level < depth && current !== null; level += 1) current = current.parent;
  return current;
}

function follow(value: unknown, parts: readonly string[]): unknown {
  let current = value;
  for (const part of parts) current = ownValue(current, part);
  return current;
}

/** A variable or function as the template writes it. */
export function nameOf(node: hbs.AST.Node): string {
  if (isPath(node)) return node.original;
  if (isCall(node)) return nameOf(node.path);
  return isLiteral(node) ? String(node.value) : node.type;
}

/** Whether the node is a variable. */
export function isPath(node: hbs.AST.Node): node is hbs.AST.PathExpression {
  return node.type === 'PathExpression';
}

function isCall(node: hbs.AST.Node): node is hbs.AST.SubExpression | hbs.AST.MustacheStatement {
  return node.type === 'SubExpression' || node.type === 'MustacheStatement';
}

function isLiteral(
  node: hbs.AST.Node,
): node is hbs.AST.StringLiteral | hbs.AST.NumberLiteral | hbs.AST.BooleanLiteral {
  return ['StringLiteral', 'NumberLiteral', 'BooleanLiteral'].includes(node.type);
}
