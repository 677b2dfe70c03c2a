/** HTTP calls that automations and journeys make: the same parameters, limits and results (docs/specification/automations.md#http-calls). */
import Type, { type Static } from 'typebox';
import { checkHeader } from '../outbound/header-rules.ts';
import type { OutboundClient } from '../outbound/outbound-client.ts';
import type { Json } from './expressions.ts';

/** A call as definitions hold it; all texts may hold expressions. */
export const HttpCall = Type.Object({
  method: Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'], { description: 'In capitals.' }),
  url: Type.String({ maxLength: 10_000, description: 'http or https.' }),
  headers: Type.Optional(
    Type.Record(
      Type.String(),
      // An expression keeps the type of its value.
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
      { description: 'By name; one that is null is left out.' },
    ),
  ),
  body: Type.Optional(Type.Unknown({ description: 'A text is sent as it is, anything else as JSON.' })),
});
export type HttpCall = Static<typeof HttpCall>;

/** What the receiver answered. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Its JSON, else its text, of which 64 KiB are read. */
  readonly body: Json;
}

/** What came of a call: an answer of 2xx, or why there is none. */
export type HttpCallResult =
  | { readonly ok: true; readonly answer: HttpAnswer }
  | { readonly ok: false; readonly error: string; readonly answer: HttpAnswer | null };

/** How a call is made. */
export interface HttpCallOptions {
  /** Sent as `Idempotency-Key`, the same with each try of one step. */
  readonly idempotencyKey: string;
  readonly timeoutMs: number;
}

/** Makes a call. Never rejects: an answer that is not 2xx, no answer and a refused address are results. */
export async function makeHttpCall(
  outbound: OutboundClient,
  { method, url, headers = {}, body }: HttpCall,
  { idempotencyKey, timeoutMs }: HttpCallOptions,
): Promise<HttpCallResult> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const own = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)]],
  );
  const refused = own.flatMap(([name = '', value = '']) => refusalOf(name, value) ?? [])[0];
  if (refused !== undefined) return { ok: false, error: refused, answer: null };
  const given = new Set(own.map(([name = '']) => name.toLowerCase()));
  const result = await outbound.send({
    method,
    url,
    timeoutMs,
    headers: {
      ...(text === undefined || given.has('content-type')
        ? {}
        : { 'Content-Type': typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json' }),
      'Idempotency-Key': idempotencyKey,
      ...Object.fromEntries(own),
    },
    ...(text === undefined ? {} : { body: text }),
  });
  if (!result.ok) return { ok: false, error: result.error, answer: null };
  const { status } = result;
  const answer = { status, headers: result.headers, body: parsed(result.body) };
  if (status >= 200 && status < 300) return { ok: true, answer };
  return { ok: false, error: `The receiver answered with status ${status}.`, answer };
}

/** The type of what is sent is the caller's to say. */
function refusalOf(name: string, value: string): string | null {
  const refusal = checkHeader(name.toLowerCase() === 'content-type' ? 'X-Content-Type' : name, value);
  return refusal === null ? null : `headers.${name}: ${refusal}.`;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
