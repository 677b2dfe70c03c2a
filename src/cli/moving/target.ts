/** The Tessera installation that an import writes to, by its public HTTP API. */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import Type from 'typebox';
import Value from 'typebox/value';

const MAX_ATTEMPTS = 10;
const MAX_WAIT_SECONDS = 60;
const JSON_TYPE = { 'content-type': 'application/json' };

/** A problem with one member of the body. */
export interface RejectedField {
  readonly field: string;
  readonly message: string;
}

/** The server rejected a call because of its content. */
export class RejectedCall extends Error {
  readonly status: number;
  readonly issues: readonly RejectedField[];

  constructor(status: number, message: string, issues: readonly RejectedField[] = []) {
    super(message);
    this.status = status;
    this.issues = issues;
  }
}

/** A client of the target. */
export interface Target {
  readonly url: string;
  /** Sends a call that may be repeated, with JSON. @throws RejectedCall and errors of the network */
  send(method: string, path: string, body?: unknown): Promise<unknown>;
  /**
   * Sends a POST that takes effect once within 24 h for the same body. @throws RejectedCall and errors of the network
   */
  create(path: string, body: unknown): Promise<unknown>;
  /** Sends a CSV file. @throws RejectedCall and errors of the network */
  upload(path: string, csv: Blob): Promise<unknown>;
  /** Sends a POST with a form. @throws RejectedCall and errors of the network */
  form(path: string, form: FormData): Promise<unknown>;
  /** Sends a call of the surface for records, with JSON. @throws RejectedCall and errors of the network */
  records(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** Creates a client of the server at `url`. `scope` separates the idempotency keys of different imports. */
export function createTarget(url: string, apiKey: string, scope: string): Target {
  const base = url.replace(/\/+$/, '');
  const call = (
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: string | Blob | FormData,
  ) =>
    sendWithRetries(`${base}${path}`, {
      method,
      headers: { 'X-API-Key': apiKey, accept: 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    });
  const sendJson = (method: string, path: string, headers: Record<string, string>, body?: unknown) => {
    if (body === undefined) return call(method, path, headers);
    return call(method, path, { ...headers, ...JSON_TYPE }, JSON.stringify(body));
  };
  return {
    url: base,
    send: (method, path, body) => sendJson(method, path, {}, body),
    records: (method, path, body) => sendJson(method, path, { 'X-Tessera-Surface': 'records' }, body),
    form: (path, form) => call('POST', path, {}, form),
    create: (path, body) => {
      const text = JSON.stringify(body);
      const key = createHash('sha256').update(`${scope}\n${path}\n${text}`).digest('hex');
      return call('POST', path, { ...JSON_TYPE, 'Idempotency-Key': key }, text);
    },
    upload: (path, csv) => call('POST', path, { 'content-type': 'text/csv' }, csv),
  };
}

/** Sends a call. If the server is busy or limits the rate, waits as long as it asks and tries again. */
async function sendWithRetries(url: string, init: RequestInit): Promise<unknown> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init).catch((cause: unknown) => {
      throw new Error(`${new URL(url).origin} cannot be reached: ${reasonOf(cause)}`, { cause });
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    const isBusy = response.status === 429 || response.status === 503;
    if (!isBusy || attempt === MAX_ATTEMPTS) throw toError(response.status, text);
    const seconds = Number(response.headers.get('retry-after') ?? 1);
    await setTimeout(1000 * Math.min(Number.isFinite(seconds) ? seconds : 1, MAX_WAIT_SECONDS));
  }
}

function toError(status: number, text: string): Error {
  const body = parseJson(text);
  const issues = issuesOf(body);
  const message = messageOf(body, issues) ?? `status ${status}`;
  const isRefused = status >= 400 && status < 500 && ![401, 403, 429].includes(status);
  if (isRefused) return new RejectedCall(status, message, issues);
  return new Error(`Tessera answered ${status}: ${message}`);
}

const Issue = Type.Object({ field: Type.Optional(Type.String()), message: Type.String() });
const Issues = Type.Object({ issues: Type.Array(Issue) });
/** Errors of the surface for records. */
const RecordErrors = Type.Object({ errors: Type.Array(Issue) });
const Message = Type.Object({ message: Type.String() });

/** Returns the part of an error response that has the message. */
function errorOf(body: unknown): unknown {
  return Value.Check(Type.Object({ error: Type.Object({}) }), body) ? body.error : body;
}

function issuesOf(body: unknown): RejectedField[] {
  const error = errorOf(body);
  const found = Value.Check(Issues, error)
    ? error.issues
    : Value.Check(RecordErrors, error)
      ? error.errors
      : [];
  return found.map(({ field = '', message }) => ({ field, message }));
}

/** Returns the issues in an error response as text, otherwise its message; null for any other response. */
function messageOf(body: unknown, issues: readonly RejectedField[]): string | null {
  if (issues.length > 0) return issues.map(({ field, message }) => `${field} ${message}`.trim()).join('; ');
  const error = errorOf(body);
  return Value.Check(Message, error) ? error.message : null;
}

/** Parses JSON; undefined if it is not valid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the innermost message of a failed `fetch`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
