/** The client, which sends the calls of all resources. */
import { operations } from './generated/operations.ts';
import type { Resources } from './generated/resources.ts';
import { type Credential, fillPath, type Operation } from './operation.ts';
import type {
  BrowserSession,
  CallOptions,
  QueryOptions,
  TesseraOptions,
  Token,
  UploadOptions,
} from './options.ts';
import { createRecords, type EntityName, type RecordsOf, type TypeOf } from './records.ts';
import { bindResource } from './resources.ts';
import { type PreparedRequest, send } from './transport.ts';
import { sendWithProgress, toForm } from './uploads.ts';

const DEFAULT_RETRIES = 2;
const DEFAULT_TIMEOUT_MS = 60_000;

/** The client option with the credential of each security scheme. */
const CREDENTIAL_OPTIONS = {
  ApiKey: 'apiKey',
  AccessToken: 'accessToken',
  Operator: 'adminToken',
  ConversationToken: 'conversationToken',
} as const;

/** Options of any call. */
type SendOptions = UploadOptions & Partial<QueryOptions<object>>;

/** One call of an operation. */
export interface Call {
  readonly operation: Operation;
  readonly pathValues?: readonly unknown[];
  readonly input?: unknown;
  readonly options?: SendOptions | undefined;
  /** The `Accept` header. Default: the type of the operation's output. */
  readonly accept?: string;
}

/** Sends a call. @throws TesseraError */
export type Caller = (call: Call) => Promise<Response>;

/** A client of a Tessera server, with a member for each resource. */
export interface Tessera extends Resources {}

/** A client of a Tessera server: `new Tessera({ url, apiKey })`. */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor defines the members of Resources.
export class Tessera {
  readonly #options: TesseraOptions;
  readonly #base: string;

  /** @throws TypeError if `url` is missing or not an HTTP URL. */
  constructor(options: TesseraOptions) {
    const { url } = options;
    if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url))
      throw new TypeError(`"url" must be a URL such as https://tessera.example.com, not ${url}`);
    this.#options = options;
    this.#base = url.replace(/\/+$/, '');
    const call: Caller = (each) => this.#send(each);
    for (const [name, table] of Object.entries(operations)) {
      let bound: object | null = null;
      // Created when it is first used, because most programs use few of the resources.
      Object.defineProperty(this, name, {
        enumerable: true,
        get: () => (bound ??= bindResource(table, call)),
      });
    }
  }

  /** Returns the calls for the records of an entity. `tessera-sdk types` generates their types; see the README. */
  records<N extends EntityName>(entity: N): RecordsOf<TypeOf<N>>;
  records(entity: string): RecordsOf;
  records(entity: string): RecordsOf {
    return createRecords(entity, this.#options.accessToken === undefined, (each) => this.#send(each));
  }

  async #send({ operation, pathValues = [], input, options = {}, accept }: Call): Promise<Response> {
    const { maxRetries, timeoutMs, fetch: customFetch } = this.#options;
    const fetchFunction = customFetch ?? fetch;
    const request = await this.#prepare(operation, pathValues, input, options, accept, fetchFunction);
    return send(request, {
      fetch: fetchFunction,
      maxRetries: options.maxRetries ?? maxRetries ?? DEFAULT_RETRIES,
      timeoutMs: options.timeoutMs ?? timeoutMs ?? DEFAULT_TIMEOUT_MS,
      signal: options.signal,
    });
  }

  async #prepare(
    operation: Operation,
    pathValues: readonly unknown[],
    input: unknown,
    options: SendOptions,
    accept: string | undefined,
    fetchFunction: typeof fetch,
  ): Promise<PreparedRequest> {
    const { method } = operation;
    const query = operation.input === 'query' ? input : options.query;
    const url = `${this.#base}${fillPath(operation.path, pathValues)}${toQuery(query)}`;
    const headers = await this.#headers(operation, options, accept);
    const { onProgress } = options;
    const sendBody = (body: FormData | Blob, sent: Record<string, string>) =>
      onProgress && sendWithProgress({ url, method, headers: sent }, body, onProgress, fetchFunction);
    if (operation.input === 'form') {
      const body = toForm(Object(input));
      return { url, method, headers, body, isRepeatable: true, send: sendBody(body, headers) };
    }
    const isRepeatable = !(input instanceof ReadableStream);
    if (operation.input === 'raw' && isText(input)) {
      const typed = { 'content-type': rawTypeOf(input), ...headers };
      const send = input instanceof Blob ? sendBody(input, typed) : undefined;
      return { url, method, headers: typed, body: input, isRepeatable, send };
    }
    if (operation.input !== 'json' || input === undefined) return { url, method, headers, isRepeatable };
    const body = JSON.stringify(input);
    return { url, method, headers: { 'content-type': 'application/json', ...headers }, body, isRepeatable };
  }

  async #headers(
    operation: Operation,
    options: CallOptions,
    accept = operation.output === 'json' ? 'application/json' : '*/*',
  ): Promise<Record<string, string>> {
    const unit = options.businessUnit ?? this.#options.businessUnit;
    return {
      accept,
      ...(operation.isIdempotent ? { 'Idempotency-Key': options.idempotencyKey ?? crypto.randomUUID() } : {}),
      ...(unit !== undefined && operation.credential === 'ApiKey' ? { 'X-Business-Unit': unit } : {}),
      ...(await this.#credential(operation.credential)),
      ...this.#options.headers,
      ...options.headers,
    };
  }

  async #credential(credential: Credential | null): Promise<Record<string, string>> {
    const { session } = this.#options;
    if (session && credential !== 'Operator' && credential !== 'ConversationToken')
      return sessionHeaders(session, credential);
    if (credential === null) return {};
    if (credential === 'Session')
      throw new TypeError('This call needs "session": new Tessera({ url, session: ... }).');
    const option = CREDENTIAL_OPTIONS[credential];
    const source = this.#options[option];
    const token = source === undefined ? undefined : await readToken(source);
    if (token === undefined)
      throw new TypeError(`This call needs "${option}": new Tessera({ url, ${option}: ... }).`);
    return credential === 'ApiKey' ? { 'X-API-Key': token } : { Authorization: `Bearer ${token}` };
  }
}

/** The headers that a session's cookie needs: against forged requests, and to choose tenant and surface. */
async function sessionHeaders(
  { csrfToken, tenant }: BrowserSession,
  credential: Credential | null,
): Promise<Record<string, string>> {
  return {
    'X-CSRF-Token': await readToken(csrfToken),
    ...(tenant === undefined ? {} : { 'X-Tenant': tenant }),
    ...(credential === 'AccessToken' ? { 'X-Tessera-Surface': 'records' } : {}),
  };
}

function readToken(source: Token): string | Promise<string> {
  return typeof source === 'function' ? source() : source;
}

/** Returns the query string of an object. A list repeats its parameter; undefined and null are omitted. */
export function toQuery(query: unknown): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(Object(query)))
    for (const each of Array.isArray(value) ? value : [value])
      if (each !== undefined && each !== null) parameters.append(name, String(each));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** Returns the content type of an import: JSON lines or, by default, CSV. */
function rawTypeOf(input: string | Blob | ReadableStream<Uint8Array>): string {
  const type = input instanceof Blob ? input.type : '';
  if (type.startsWith('text/csv')) return type;
  const isJson = typeof input === 'string' ? /^\s*\{/.test(input) : type.includes('json');
  return isJson ? 'application/x-ndjson' : 'text/csv';
}

function isText(value: unknown): value is string | Blob | ReadableStream<Uint8Array> {
  return typeof value === 'string' || value instanceof Blob || value instanceof ReadableStream;
}
