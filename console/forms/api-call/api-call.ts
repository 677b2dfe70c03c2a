/** A call of the API as a program would make it. */
import type { FieldSchemas, Operation } from '../operation.ts';

/** A call to show. */
export interface ApiCall {
  readonly operation: Operation;
  /** Values of the parameters of the path, in order. */
  readonly path: readonly string[];
  /** The JSON body; undefined for operations without one. */
  readonly body: object | undefined;
  /** URL of the server. */
  readonly url: string;
  /** The call is made in a business unit. */
  readonly hasUnit: boolean;
}

/** Environment variables for credentials, which must not be written into a program. */
export const VARIABLES = {
  ApiKey: 'TESSERA_API_KEY',
  AccessToken: 'TESSERA_ACCESS_TOKEN',
  unit: 'TESSERA_BUSINESS_UNIT',
} as const;

/** Returns the name of the SDK's option for the credential of an operation; null if programs cannot call it. */
export function credentialOf({ credential }: Operation): 'ApiKey' | 'AccessToken' | 'None' | null {
  return (['ApiKey', 'AccessToken', 'None'] as const).find((each) => each === credential) ?? null;
}

/** Returns a body in the order of the API's document, with placeholders such as `<password>` for secrets. */
export function withoutSecrets(fields: FieldSchemas, body: object): Readonly<Record<string, unknown>> {
  const known = Object.keys(fields).filter((name) => Object.hasOwn(body, name));
  const names = new Set([...known, ...Object.keys(body)]);
  const members = [...names].map((name) => {
    const { isSecret, fields: inner = {} } = fields[name] ?? {};
    const value: unknown = Reflect.get(body, name);
    return [name, isSecret && typeof value === 'string' ? `<${name}>` : maskValue(inner, value)];
  });
  return Object.fromEntries(members);
}

function maskValue(fields: FieldSchemas, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => maskValue(fields, each));
  if (typeof value !== 'object' || value === null) return value;
  // For example a webhook's header with the flag `is_secret`.
  const isSecret = Reflect.get(value, 'is_secret') === true && 'value' in value;
  return withoutSecrets(fields, isSecret ? { ...value, value: '<value>' } : value);
}
