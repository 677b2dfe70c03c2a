/** Makes the methods of a resource from its operations. */
import type { Call, Caller } from './client.ts';
import { allItems, type Page } from './lists.ts';
import { canStream, countPathParameters, isPaged, type OperationText, parseOperation } from './operation.ts';
import { readEvents } from './streams.ts';

/** Methods take the parameters of the path, then the input, then options. */
type Method = (...args: unknown[]) => unknown;

/** Returns an object with a method for each operation, `all...` for lists, and `...Stream` for what can be streamed. */
export function bindResource(
  table: Readonly<Record<string, OperationText>>,
  call: Caller,
): Readonly<Record<string, Method>> {
  const methods: Record<string, Method> = {};
  for (const [name, text] of Object.entries(table)) {
    methods[name] = bindOperation(text, call);
    if (isPaged(text)) methods[name.replace(/^list/, 'all')] = bindAll(text, call);
    if (canStream(text)) methods[`${name}Stream`] = bindStream(text, call);
  }
  return methods;
}

function bindOperation(text: OperationText, call: Caller): Method {
  const toCall = argumentsOf(text);
  return async (...args) => {
    const each = toCall(args);
    const response = await call(each);
    return each.operation.output === 'json' ? response.json() : response;
  };
}

function bindAll(text: OperationText, call: Caller): Method {
  const toCall = argumentsOf(text);
  return (...args) => {
    const first = toCall(args);
    const load = async (input: Record<string, unknown>): Promise<Page> => {
      const response = await call({ ...first, input });
      return response.json();
    };
    return allItems(load, Object(first.input ?? {}));
  };
}

function bindStream(text: OperationText, call: Caller): Method {
  const toCall = argumentsOf(text);
  return async function* (...args) {
    const each = toCall(args);
    // What is streamed is not stored, so it cannot be sent a second time.
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
