/** Keeps the secrets of a webhook out of its draft, which is stored in the browser. */

/** A header that is sent with each request. */
interface Header {
  name: string;
  value?: string | undefined;
  is_secret?: boolean | undefined;
}

/** The part of a webhook's body that can have secrets. */
export interface SecretBody {
  signing_secret?: string | null | undefined;
  target?: { url: string; headers?: Header[] | undefined } | undefined;
}

/** Secrets that the user has entered. */
export interface Secrets {
  /** Undefined: kept. Null: removed. */
  readonly signing?: SecretBody['signing_secret'];
  /** Values of secret headers by name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** No secret was entered. */
export const NO_SECRETS: Secrets = { headers: {} };

/** Returns the secrets of a body. */
export function secretsOf({ signing_secret, target }: SecretBody): Secrets {
  const headers = (target?.headers ?? []).flatMap(({ name, value, is_secret }) =>
    is_secret && value !== undefined ? [[name, value]] : [],
  );
  return { signing: signing_secret, headers: Object.fromEntries(headers) };
}

/** Returns a body with other secrets, or with none. */
export function withSecrets<Value extends SecretBody>(body: Value, { signing, headers }: Secrets): Value {
  const { target } = body;
  if (target === undefined) return { ...body, signing_secret: signing };
  const sent = target.headers?.map((header) =>
    header.is_secret ? { ...header, value: headers[header.name] } : header,
  );
  return { ...body, signing_secret: signing, target: { ...target, headers: sent } };
}
