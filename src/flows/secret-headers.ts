/**
 * Secret headers of HTTP calls: definitions store their values encrypted, no response contains them, and only the call
 * decrypts them (docs/specification/automations.md#secret-headers).
 */
import { sql } from 'kysely';
import Type, { type Static, type TSchema } from 'typebox';
import { carryWritten } from '../db/written-json.ts';
import type { Issue } from '../errors/app-error.ts';
import { isCredentialHeader } from '../outbound/header-rules.ts';
import type { ValueConversion } from '../resources/fields.ts';
import { SEALED_VALUE, type SecretBox } from '../secrets/secret-box.ts';

/** Length limit of a secret value, in characters. */
const MAX_SECRET_CHARS = 2000;

/** A header with a secret value; a stored one contains the encrypted value. */
export const SecretHeader = Type.Object(
  {
    is_secret: Type.Boolean({ description: 'True: stored encrypted and never returned.' }),
    value: Type.Optional(
      Type.String({
        description: `At most ${MAX_SECRET_CHARS} characters, no expressions. A PUT without it keeps the stored value.`,
      }),
    ),
  },
  { title: 'SecretHeader' },
);
/** A header with a secret value, as entered or as stored (encrypted). */
export type SecretHeader = Static<typeof SecretHeader>;

type Members = Readonly<Record<string, unknown>>;

/** Input for encrypting the headers of one call. */
export interface SealingContext {
  readonly secrets: SecretBox;
  /** Id of the record with the definition; its secrets are encrypted for it. */
  readonly ownerId: string;
  /** Headers of the same call in the stored definition; undefined for a new call. */
  readonly stored: unknown;
  /** Path of the headers in the body, for issues. */
  readonly field: string;
}

/**
 * Encrypts each secret header of a definition. A plain-text header with the name of a credential, such as
 * `Authorization`, becomes secret too, unless it contains expressions.
 */
export function sealHeaders(
  headers: object,
  { secrets, ownerId, stored, field }: SealingContext,
): { readonly headers: Members; readonly issues: readonly Issue[] } {
  const issues: Issue[] = [];
  const storedValues = sealedByName(stored);
  const members: [string, unknown][] = Object.entries(headers);
  const sealed = members.map(([name, header]) => {
    const refuse = (message: string, member = '') => {
      issues.push({ field: `${field}.${name}${member}`, message });
      return [name, null] as const;
    };
    if (typeof header === 'string' && isCredentialHeader(name) && !header.includes('{{')) {
      if (header.length > MAX_SECRET_CHARS) return refuse(`must be at most ${MAX_SECRET_CHARS} characters`);
      return [name, sealedHeader(secrets.seal(header, ownerId))] as const;
    }
    if (typeof header !== 'object' || header === null) return [name, header] as const;
    const { is_secret: isSecret, value }: Members = { ...header };
    if (typeof isSecret !== 'boolean' || (value !== undefined && typeof value !== 'string'))
      return refuse('must be a string, a number, a boolean, null, or {value, is_secret}');
    if (value === undefined) {
      const storedValue = isSecret ? storedValues.get(name.toLowerCase()) : undefined;
      return storedValue === undefined
        ? refuse('is required: no secret value is stored for this header', '.value')
        : ([name, sealedHeader(storedValue)] as const);
    }
    if (!isSecret) return [name, value] as const;
    if (value.length > MAX_SECRET_CHARS)
      return refuse(`must be at most ${MAX_SECRET_CHARS} characters`, '.value');
    if (value.includes('{{'))
      return refuse('must not contain {{: secret values do not support expressions', '.value');
    return [name, sealedHeader(secrets.seal(value, ownerId))] as const;
  });
  // `fromEntries`, because a header may be called `__proto__`.
  return { headers: carryWritten(headers, Object.fromEntries(sealed)), issues };
}

/** Returns the header's text to send. @throws SecretBoxError if the value was encrypted for another key or record. */
export function openHeader(
  { is_secret, value = '' }: SecretHeader,
  openSecret: (sealed: string) => string,
): string {
  return is_secret ? openSecret(value) : value;
}

/** Returns a definition, or a part of one, without the values of its secret headers. */
export function hideSecrets(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return carryWritten(value, value.map(hideSecrets));
  if (isSealedHeader(value)) return { is_secret: true };
  const members = Object.entries(value).map(([name, member]) => [name, hideSecrets(member)] as const);
  return carryWritten(value, Object.fromEntries(members));
}

/** Returns the conversion that removes the values of secret headers from a JSON column in responses and history. */
export function shownWithoutSecrets<S extends TSchema>(schema: S) {
  return {
    schema,
    of: hideSecrets,
    // As text, so that everything else stays as it was written.
    sql: (column) => sql`(case when position(${STORED_START} in ${column}::text) > 0
      then regexp_replace(${column}::text, ${STORED_HEADER}, ${SHOWN_HEADER}, 'g')::json else ${column} end)`,
  } as const satisfies ValueConversion & { readonly schema: S };
}

/** A stored secret header as JSON.stringify writes it. It matches no text in JSON, whose quotes are escaped. */
const STORED_START = '{"is_secret":true,"value":"s1.';
const STORED_HEADER = '[{]"is_secret":true,"value":"s1[.][A-Za-z0-9_-]{8}[.][A-Za-z0-9_-]{38,}"[}]';
const SHOWN_HEADER = '{"is_secret":true}';
const WHOLE_SEALED_VALUE = new RegExp(`^${SEALED_VALUE.source}$`);

function sealedHeader(value: string) {
  return { is_secret: true, value };
}

function isSealedHeader(value: object): value is { readonly is_secret: true; readonly value: string } {
  if (!('is_secret' in value && 'value' in value) || Object.keys(value).length !== 2) return false;
  return value.is_secret === true && typeof value.value === 'string' && WHOLE_SEALED_VALUE.test(value.value);
}

function sealedByName(stored: unknown): ReadonlyMap<string, string> {
  if (typeof stored !== 'object' || stored === null) return new Map();
  return new Map(
    Object.entries(stored).flatMap(([name, header]) =>
      typeof header === 'object' && header !== null && isSealedHeader(header)
        ? [[name.toLowerCase(), header.value] as const]
        : [],
    ),
  );
}
