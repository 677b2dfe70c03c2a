/** Compiles Handlebars expressions to closures over plain data: own properties and our own functions only. */
import { isNode, nameOf, positionOf } from './parse-template.ts';
import { renderFault, syntaxFault, undefinedVariable } from './template-fault.ts';
import { TEMPLATE_FUNCTIONS } from './template-functions.ts';
import { ownValue } from './values.ts';

/** Scope of a block in a run: the current object and the enclosing scopes. */
export interface Scope {
  readonly context: unknown;
  readonly parent: Scope | null;
  readonly root: unknown;
  /** Values of the block's `as |name name|`. */
  readonly named: readonly unknown[];
  /** `@index`, `@key`, `@first`, `@last` of an each. */
  readonly loop: Readonly<Record<string, unknown>> | null;
}

/** Returns the scope outside of all blocks. */
export function rootScope(data: unknown): Scope {
  return { context: data, parent: null, root: data, named: [], loop: null };
}

/** Evaluates an expression; undefined if the data do not define it. */
export type Evaluate = (scope: Scope) => unknown;

/** Block parameter names of the enclosing scopes, innermost first. */
export type Names = readonly (readonly string[])[];

/** Compiles an expression whose value must be defined. @throws TemplateFault of kind syntax. */
export function compileStrict(node: hbs.AST.Node, names: Names): Evaluate {
  const evaluate = compileExpression(node, names);
  return (scope) => {
    const value = evaluate(scope);
    if (value === undefined) {
      const name = nameOf(node);
      throw undefinedVariable(name, positionOf(node), nestedName(scope.root, name));
    }
    return value;
  };
}

/** Returns the path of a value with this name one level down, such as `subscriber.first_name`; null without one. */
function nestedName(root: unknown, name: string): string | null {
  if (typeof root !== 'object' || root === null) return null;
  const owner = Object.keys(root).find((key) => ownValue(ownValue(root, key), name) !== undefined);
  return owner === undefined ? null : `${owner}.${name}`;
}

/** Compiles an expression whose value may be undefined, such as a condition. @throws TemplateFault of kind syntax. */
export function compileExpression(node: hbs.AST.Node, names: Names): Evaluate {
  if (isNode(node, 'PathExpression')) return compilePath(node, names);
  if (isNode(node, 'SubExpression', 'MustacheStatement')) return compileCall(node, names);
  if (isNode(node, 'StringLiteral', 'NumberLiteral', 'BooleanLiteral')) {
    const { value } = node;
    return () => value;
  }
  if (node.type === 'NullLiteral') return () => null;
  if (node.type === 'UndefinedLiteral') return () => undefined;
  throw syntaxFault(`The template uses an unsupported feature: ${node.type}`, positionOf(node));
}

/** Compiles a mustache or sub-expression with arguments, which calls a documented function. */
function compileCall(node: hbs.AST.SubExpression | hbs.AST.MustacheStatement, names: Names): Evaluate {
  const { params, hash, path } = node;
  const name = nameOf(path);
  const definition = TEMPLATE_FUNCTIONS.get(name);
  const named = hash?.pairs ?? [];
  if (definition === undefined || named.some(({ key }) => key !== definition.optional))
    throw syntaxFault(`There is no function "${name}" that takes these arguments`, positionOf(node));
  const { arity, optional, call } = definition;
  const allParams = [...params, ...named.map(({ value }) => value)];
  const maxArity = optional === undefined ? arity : arity + 1;
  if (params.length < arity || allParams.length > maxArity) {
    const message = `${name} takes ${arity} argument${arity === 1 ? '' : 's'}${optional ? ` and optionally ${optional}` : ''}, not ${allParams.length}`;
    throw syntaxFault(message, positionOf(node));
  }
  const args = allParams.map((param) => compileStrict(param, names));
  return (scope) => {
    const values = args.map((evaluate) => evaluate(scope));
    try {
      return call(values);
    } catch (error) {
      if (error instanceof RangeError) throw error;
      throw renderFault(error instanceof Error ? error.message : '', positionOf(node));
    }
  };
}

function compilePath({ depth, original, parts, data }: hbs.AST.PathExpression, names: Names): Evaluate {
  const [first, ...rest] = parts;
  if (first === undefined) return (scope) => ancestor(scope, depth)?.context;
  if (data && first === 'root') return (scope) => followPath(scope.root, rest);
  if (data) return (scope) => followPath(ownValue(loopAround(scope, depth), first), rest);
  const isScoped = depth > 0 || /^(?:this|\.)(?:[./]|$)/.test(original);
  const block = isScoped ? -1 : names.findIndex((each) => each.includes(first));
  if (block >= 0) {
    const position = names[block]?.indexOf(first) ?? 0;
    return (scope) => followPath(ancestor(scope, block)?.named[position], rest);
  }
  if (depth === 0 && rest.length === 0) return (scope) => ownValue(scope.context, first);
  return (scope) => followPath(ownValue(ancestor(scope, depth)?.context, first), rest);
}

/** Returns the loop variables of the `each` block `depth` levels out. */
function loopAround(scope: Scope, depth: number): Scope['loop'] {
  let outer = depth;
  for (let current: Scope | null = scope; current !== null; current = current.parent) {
    if (current.loop === null) continue;
    if (outer === 0) return current.loop;
    outer -= 1;
  }
  return null;
}

function ancestor(scope: Scope, depth: number): Scope | null {
  let current: Scope | null = scope;
  for (let level = 0; level < depth && current !== null; level += 1) current = current.parent;
  return current;
}

function followPath(value: unknown, parts: readonly string[]): unknown {
  let current = value;
  for (const part of parts) current = ownValue(current, part);
  return current;
}
