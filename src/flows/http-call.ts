/**
 * HTTP calls of automations and journeys: the same parameters, limits and results
 * (docs/specification/automations.md#http-calls).
 */
import Type, { type Static } from 'typebox';
import { parseWritten } from '../db/written-json.ts';
import { checkHeader } from '../outbound/header-rules.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { SendFailure } from '../outbound/send-failure.ts';
import { redactSecrets } from '../secrets/redact.ts';
import { openedOrNull } from '../secrets/secret-box.ts';
import type { Json } from './expressions.ts';
import { openHeader, SecretHeader } from './secret-headers.ts';

/** A call in a definition; all texts may contain expressions. */
export const HttpCall = Type.Object({
  method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'], { description: 'In upper case.' }),
  url: Type.String({ maxLength: 10_000, description: 'An http or https URL.' }),
  headers: Type.Optional(
    Type.Record(
      Type.String(),
      // An expression keeps the type of its value.
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null(), SecretHeader]),
      {
        description:
          'Header values by name. A header with the value null is omitted. `{value, is_secret: true}` is stored encrypted and never returned.',
      },
    ),
  ),
  body: Type.Optional(Type.Unknown({ description: 'A string is sent unchanged, any other value as JSON.' })),
});
/** An HTTP call in a definition. */
export type HttpCall = Static<typeof HttpCall>;

/** The response of the receiver. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the response, else its text; at most 64 KiB are read. */
  readonly body: Json;
}

/**
 * The result of a call: an answer of 2xx, or the reason why there is none. `isFinal`: another attempt would fail in the
 * same way.
 */
export type HttpCallResult =
  | { readonly ok: true; readonly answer: HttpAnswer }
  | {
      readonly ok: false;
      readonly error: string;
      readonly isFinal: boolean;
      /** True if another attempt within minutes would fail in the same way. */
      readonly isLasting?: boolean;
      readonly answer: HttpAnswer | null;
    };

/** Options of a call. */
export interface HttpCallOptions {
  /** Sent as `Idempotency-Key`, the same for each attempt of one step. */
  readonly idempotencyKey: string;
  readonly timeoutMs: number;
  /** Headers with the chain that led to the call. */
  readonly chain?: Readonly<Record<string, string>>;
  /** Decrypts the value of a secret header. @throws SecretBoxError. */
  readonly openSecret: (sealed: string) => string;
}

const GONE = 410;
/** Failures that last: the host does not exist, or its certificate is not valid. */
const LASTING: readonly SendFailure['reason'][] = ['unknown host', 'untrusted'];
/** Failures that are caused by the call itself. */
const CALL_FAULTS: readonly SendFailure['reason'][] = ['invalid', 'blocked'];
const UNDECRYPTABLE =
  'A secret header cannot be decrypted because SECRET_KEY has changed. Set its value again.';

/**
 * Makes a call. Never rejects: a response other than 2xx, no response and a refused address are results. If a response
 * repeats a secret header, the secret is removed.
 */
export async function makeHttpCall(
  outbound: OutboundClient,
  { method, url, headers = {}, body }: HttpCall,
  { idempotencyKey, timeoutMs, chain, openSecret }: HttpCallOptions,
): Promise<HttpCallResult> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const opened = openedOrNull(() => openHeaders(headers, openSecret));
  if (opened === null) return { ok: false, error: UNDECRYPTABLE, isFinal: false, answer: null };
  const { values, secrets } = opened;
  const refused = values.flatMap(([name, value]) => refusalReason(name, value) ?? [])[0];
  if (refused !== undefined) return { ok: false, error: refused, isFinal: true, answer: null };
  const names = new Set(values.map(([name]) => name.toLowerCase()));
  const result = await outbound.send({
    method,
    url,
    timeoutMs,
    headers: {
      ...(text === undefined || names.has('content-type')
        ? {}
        : { 'Content-Type': typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json' }),
      'Idempotency-Key': idempotencyKey,
      ...chain,
      ...Object.fromEntries(values),
    },
    ...(text === undefined ? {} : { body: text }),
  });
  if (!result.ok)
    return {
      ok: false,
      error: result.error,
      isFinal: CALL_FAULTS.includes(result.reason),
      isLasting: LASTING.includes(result.reason),
      answer: null,
    };
  const { status } = result;
  const answer = {
    status,
    headers: redactValues(result.headers, secrets),
    body: parseBody(redactSecrets(result.body, secrets)),
  };
  if (status >= 200 && status < 300) return { ok: true, answer };
  const error = `The receiver answered with status ${status}.`;
  return { ok: false, error, isFinal: status === GONE, answer };
}

/** Returns the headers as texts, and the secret texts among them. @throws SecretBoxError. */
function openHeaders(headers: NonNullable<HttpCall['headers']>, openSecret: HttpCallOptions['openSecret']) {
  const secrets: string[] = [];
  const values = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    if (value === null) return [];
    if (typeof value !== 'object') return [[name, String(value)]];
    const text = openHeader(value, openSecret);
    if (value.is_secret) secrets.push(text);
    return [[name, text]];
  });
  return { values, secrets };
}

function redactValues(headers: Readonly<Record<string, string>>, secrets: readonly string[]) {
  if (secrets.length === 0) return headers;
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, redactSecrets(value, secrets)]),
  );
}

/** Returns why a header is not allowed; null if it is. Definitions may set the content type. */
function refusalReason(name: string, value: string): string | null {
  const refusal = checkHeader(name.toLowerCase() === 'content-type' ? 'X-Content-Type' : name, value);
  return refusal === null ? null : `headers.${name}: ${refusal}.`;
}

function parseBody(text: string): Json {
  try {
    return parseWritten(text);
  } catch {
    return text;
  }
}
