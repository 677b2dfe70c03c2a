/** Generates the SDK and curl calls of the operations of an OpenAPI document. */
import { isRecord } from '../is-record.ts';

/** Sample calls of an operation. */
export interface Call {
  /** Null for an operation that the SDK does not have. */
  readonly sdk: string | null;
  readonly curl: string;
}

/** Operations of browsers and mail programs, and records, for which the SDK has its own calls. */
const NOT_IN_SDK =
  /^(?:records|embed|email_tracking|automation_hooks|operations)\.|^provider_hooks\.receive$|\.script$/;

/** Credential headers by security scheme. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  ApiKey: 'X-API-Key: $TESSERA_API_KEY',
  AccessToken: 'Authorization: Bearer $TESSERA_ACCESS_TOKEN',
  Operator: 'Authorization: Bearer $ADMIN_TOKEN',
  ConversationToken: 'Authorization: Bearer $CONVERSATION_TOKEN',
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns the calls of a document by `METHOD path`. @throws SyntaxError if the text is not JSON. */
export function readCalls(text: string): ReadonlyMap<string, Call> {
  const document: unknown = JSON.parse(text);
  const credentials = isRecord(document) ? { security: document.security } : {};
  return new Map(
    Object.entries(memberOf(document, 'paths')).flatMap(([path, item]) =>
      METHODS.filter((method) => isRecord(item) && method in item).map((method) => {
        // Most operations have the credentials of the document.
        const operation: Readonly<Record<string, unknown>> = { ...credentials, ...memberOf(item, method) };
        // The document gives two surfaces of one path different paths.
        const called = String(operation['x-path'] ?? path);
        return [`${method.toUpperCase()} ${path}`, callOf(method.toUpperCase(), called, operation)] as const;
      }),
    ),
  );
}

function callOf(method: string, path: string, operation: Readonly<Record<string, unknown>>): Call {
  const [type, content] = Object.entries(memberOf(operation.requestBody, 'content'))[0] ?? [];
  const example = isRecord(content) ? content.example : undefined;
  return {
    sdk: sdkCall(path, operation, type, example),
    curl: curlCall(method, path, operation, type, example),
  };
}

function sdkCall(
  path: string,
  { operationId, responses }: Readonly<Record<string, unknown>>,
  type: string | undefined,
  example: unknown,
): string | null {
  const [resource, name] = String(operationId).split('.');
  if (resource === undefined || name === undefined || NOT_IN_SDK.test(String(operationId))) return null;
  const responseTypes = memberOf(memberOf(responses, '200'), 'content');
  if (Object.keys(responseTypes).join() === 'text/html') return null;
  const inputs = [...parametersOf(path).map(toCamelCase), ...inputOf(type, example)];
  return `await tessera.${toCamelCase(resource)}.${toCamelCase(name)}(${inputs.join(', ')});`;
}

/** Returns the input of an SDK call: a JavaScript object, a file, or text. */
function inputOf(type: string | undefined, example: unknown): readonly string[] {
  if (type === undefined) return [];
  if (type === 'multipart/form-data') return ['{ file }'];
  if (type !== 'application/json') return ['text'];
  return [JSON.stringify(example ?? {}, null, 2).replaceAll(/"([A-Za-z_$][\w$]*)":/g, '$1:')];
}

function curlCall(
  method: string,
  path: string,
  { security }: Readonly<Record<string, unknown>>,
  type: string | undefined,
  example: unknown,
): string {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const [scheme] = Array.isArray(security) && isRecord(security[0]) ? Object.keys(security[0]) : [];
  const credential = scheme === undefined ? undefined : CREDENTIALS[scheme];
  const lines = [
    `curl -X ${method} "$TESSERA_URL${address}"`,
    ...(credential === undefined ? [] : [`-H "${credential}"`]),
    ...dataOf(type, example),
  ];
  return lines.join(' \\\n  ');
}

function dataOf(type: string | undefined, example: unknown): readonly string[] {
  if (type === undefined) return [];
  if (type === 'multipart/form-data') return ['-F file=@picture.png'];
  const text = typeof example === 'string' ? example : JSON.stringify(example ?? {}, null, 2);
  return [`-H 'Content-Type: ${type}'`, `--data-binary '${text.replaceAll("'", String.raw`'\''`)}'`];
}

function parametersOf(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function memberOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const member = isRecord(value) ? value[name] : undefined;
  return isRecord(member) ? member : {};
}

function toCamelCase(name: string): string {
  return name.replaceAll(/[_-](.)/g, (_, letter: string) => letter.toUpperCase());
}
