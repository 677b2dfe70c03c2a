/** Creates the methods of a resource from its operations. */
import type { Call, Caller } from './client.ts';
import { allItems, type Page } from './lists.ts';
import {
  allName,
  canStream,
  countPathParameters,
  hasPositions,
  isPaged,
  isStamped,
  type OperationText,
  parseOperation,
  sizeNameOf,
} from './operation.ts';
import { readEvents } from './streams.ts';

/** Default page size. */
const DEFAULT_LIMIT = 20;

/** A method. Its arguments are the path parameters, the input and the options. */
type Method = (...args: unknown[]) => unknown;

/**
 * Returns an object with a method for each operation, an `all...` method for each list, and a `...Stream` method for
 * each operation that can stream.
 */
export function bindResource(
  table: Readonly<Record<string, OperationText>>,
  call: Caller,
): Readonly<Record<string, Method>> {
  const methods: Record<string, Method> = {};
  for (const [name, text] of Object.entries(table)) {
    methods[name] = bindOperation(text, call);
    if (isPaged(text)) methods[allName(name)] = bindAll(text, call);
    if (canStream(text)) methods[`${name}Stream`] = bindStream(text, call);
  }
  return methods;
}

function bindOperation(text: OperationText, call: Caller): Method {
  const toCall = argumentsOf(text);
  const complete = hasListBody(text) ? withDefaults : isStamped(text) ? withStamp : null;
  return async (...args) => {
    const each = toCall(args);
    const input = complete ? complete(Object(each.input ?? {})) : each.input;
    const response = await call({ ...each, input });
    return each.operation.output === 'json' ? response.json() : response;
  };
}

function bindAll(text: OperationText, call: Caller): Method {
  const toCall = argumentsOf(text);
  const defaults = hasListBody(text) ? { filters: {} } : {};
  return (...args) => {
    const first = toCall(args);
    const load = async (input: Record<string, unknown>): Promise<Page> => {
      const response = await call({ ...first, input });
      return response.json();
    };
    const query = { ...defaults, ...Object(first.input ?? {}) };
    return allItems(load, query, { sizeName: sizeNameOf(text), hasPositions: hasPositions(text) });
  };
}

/** Returns true if an operation is a list with its query in the body, for which the API requires all defaults. */
function hasListBody(text: OperationText): boolean {
  return isPaged(text) && parseOperation(text).input === 'json';
}

/** Adds the default members of a list query. `after` replaces `page`. */
function withDefaults(query: Record<string, unknown>): Record<string, unknown> {
  return { limit: DEFAULT_LIMIT, filters: {}, ...(query.after === undefined ? { page: 1 } : {}), ...query };
}

function withStamp(body: Record<string, unknown>): Record<string, unknown> {
  return { version: 0, created_at: new Date().toISOString(), ...body };
}

function bindStream(text: OperationText, call: Caller): Method {
  const toCall = argumentsOf(text);
  return async function* (...args) {
    const each = toCall(args);
    // The server does not store streamed responses, so it cannot replay them.
    const operation = { ...each.operation, isIdempotent: false };
    yield* readEvents(await call({ ...each, operation, accept: 'text/event-stream' }));
  };
}

function argumentsOf(text: OperationText): (args: readonly unknown[]) => Call {
  const operation = parseOperation(text);
  const count = countPathParameters(operation.path);
  return (args) => {
    const pathValues = args.slice(0, count);
    const [input, options] = operation.input === 'none' ? [undefined, args[count]] : args.slice(count);
    return { operation, pathValues, input, options: Object(options ?? {}) };
  };
}
