/** Custom headers of a webhook, and the encryption of secret values (docs/specification/webhooks.md#secret-headers). */

import Type, { type Static } from 'typebox';
import type { Issue } from '../../../errors/app-error.ts';
import { checkHeader } from '../../../outbound/header-rules.ts';
import { SIGNATURE_HEADER } from '../../../outbound/webhook-signature.ts';
import { redactSecrets } from '../../../secrets/redact.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import type { HeaderInput, Headers } from './schema.ts';

/** Stored headers; `value` is encrypted with the webhook's id as context if `is_secret`. */
export const StoredHeaders = Type.Array(
  Type.Object({ name: Type.String(), value: Type.String(), is_secret: Type.Boolean() }),
);
/** One of the stored headers. */
export type StoredHeader = Static<typeof StoredHeaders>[number];

/**
 * Merges given headers, which must have passed `headerFaults`, with the stored ones. Returns the headers to store and
 * the issues. A header without `is_secret` keeps its stored setting. A secret one without a value keeps its stored
 * value; names are compared case-insensitively.
 * @param issueRoot path of the headers in the body, for the issues: `target.headers`.
 */
export function mergeHeaders(
  secrets: SecretBox,
  webhookId: string,
  inputs: readonly HeaderInput[],
  stored: readonly StoredHeader[],
  issueRoot: string,
): { readonly headers: readonly StoredHeader[]; readonly issues: readonly Issue[] } {
  const issues: Issue[] = [];
  const headers = inputs.flatMap(({ name, value, is_secret }, index): StoredHeader[] => {
    const storedHeader = stored.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    const isSecret = is_secret ?? storedHeader?.is_secret ?? false;
    const newValue = value ?? (isSecret ? storedHeader?.value : undefined);
    if (newValue === undefined) {
      issues.push({ field: `${issueRoot}[${index}].value`, message: missingValue(storedHeader, isSecret) });
      return [];
    }
    const isEncrypted = value === undefined && storedHeader?.is_secret === true;
    return [
      {
        name,
        value: isSecret && !isEncrypted ? secrets.seal(newValue, webhookId) : newValue,
        is_secret: isSecret,
      },
    ];
  });
  return { headers, issues };
}

function missingValue(stored: StoredHeader | undefined, isSecret: boolean): string {
  if (stored === undefined) return 'is required for a new header';
  return stored.is_secret && !isSecret
    ? 'is required to turn a secret header into a plain one'
    : 'is required';
}

/** Returns the issues that do not depend on stored headers: invalid names and values, and repeated names. */
export function headerFaults(headers: readonly HeaderInput[], issueRoot: string): Issue[] {
  const names = new Set<string>();
  return headers.flatMap(({ name, value = '' }, index): Issue[] => {
    const path = `${issueRoot}[${index}]`;
    const isRepeated = names.size === names.add(name.toLowerCase()).size;
    if (isRepeated) return [{ field: `${path}.name`, message: 'is repeated' }];
    const nameFault = checkHeader(name, '');
    if (nameFault !== null) return [{ field: `${path}.name`, message: nameFault }];
    const valueFault = checkHeader(name, value);
    return valueFault === null ? [] : [{ field: `${path}.value`, message: valueFault }];
  });
}

/** Returns the decrypted headers. @throws SecretBoxError if a value was encrypted with another SECRET_KEY. */
export function openHeaders(
  secrets: SecretBox,
  webhookId: string,
  headers: readonly StoredHeader[],
): Record<string, string> {
  const opened = headers.map(
    ({ name, value, is_secret }) => [name, is_secret ? secrets.open(value, webhookId) : value] as const,
  );
  return Object.fromEntries(opened);
}

/** Returns headers for responses: without the values of secret ones. */
export function toPublicHeaders(stored: readonly StoredHeader[]): Static<typeof Headers> {
  return stored.map(({ name, value, is_secret }) =>
    is_secret ? { name, is_secret } : { name, value, is_secret },
  );
}

/** Redacts the values of secret headers in a text, such as a response that repeats them. */
export function redactHeaderValues(
  text: string,
  stored: readonly StoredHeader[],
  opened: Readonly<Record<string, string>>,
): string {
  return redactSecrets(text, secretValues(stored, opened));
}

/** Returns the values that must not be shown: those of secret headers, and the signature. */
export function secretValues(
  stored: readonly StoredHeader[],
  opened: Readonly<Record<string, string>>,
): string[] {
  const values = stored.filter(({ is_secret }) => is_secret).map(({ name }) => opened[name] ?? '');
  const { [SIGNATURE_HEADER]: signature } = opened;
  return signature === undefined ? values : [...values, signature];
}
