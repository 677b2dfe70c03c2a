/**
 * The headers that a webhook sends along, and how the values of secret ones are kept
 * (docs/specification/webhooks.md#secret-headers).
 */

import Type, { type Static } from 'typebox';
import type { Issue } from '../../../errors/app-error.ts';
import { checkHeader } from '../../../outbound/header-rules.ts';
import { redactSecrets } from '../../../secrets/redact.ts';
import type { SecretBox } from '../../../secrets/secret-box.ts';
import type { HeaderInput, Headers } from './schema.ts';

/** Headers as they are stored; `value` is sealed under the webhook's id when `is_secret`. */
export const StoredHeaders = Type.Array(
  Type.Object({ name: Type.String(), value: Type.String(), is_secret: Type.Boolean() }),
);
export type StoredHeader = Static<typeof StoredHeaders>[number];

/**
 * What the given headers, which `headerFaults` has passed, make of the stored ones that they replace, and what is wrong
 * with them. A header without `is_secret` stays what it was; a secret one without a value keeps the stored value, found by
 * name whatever the case.
 * @param issueRoot where the headers stand in the body, for the issues: `target.headers`.
 */
export function mergeHeaders(
  secrets: SecretBox,
  webhookId: string,
  given: readonly HeaderInput[],
  stored: readonly StoredHeader[],
  issueRoot: string,
): { readonly headers: readonly StoredHeader[]; readonly issues: readonly Issue[] } {
  const issues: Issue[] = [];
  const headers = given.flatMap(({ name, value, is_secret }, index): StoredHeader[] => {
    const known = stored.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    const isSecret = is_secret ?? known?.is_secret ?? false;
    const kept = value ?? (isSecret ? known?.value : undefined);
    if (kept === undefined) {
      issues.push({ field: `${issueRoot}[${index}].value`, message: missingValue(known, isSecret) });
      return [];
    }
    const isSealed = value === undefined && known?.is_secret === true;
    return [
      { name, value: isSecret && !isSealed ? secrets.seal(kept, webhookId) : kept, is_secret: isSecret },
    ];
  });
  return { headers, issues };
}

function missingValue(known: StoredHeader | undefined, isSecret: boolean): string {
  if (known === undefined) return 'is required for a new header';
  return known.is_secret && !isSecret ? 'is required to make a secret header plain' : 'is required';
}

/** What is wrong with given headers, whatever is stored: names and values that may not be sent, names given twice. */
export function headerFaults(given: readonly HeaderInput[], issueRoot: string): Issue[] {
  const names = new Set<string>();
  return given.flatMap(({ name, value = '' }, index): Issue[] => {
    const place = `${issueRoot}[${index}]`;
    const isSecond = names.size === names.add(name.toLowerCase()).size;
    if (isSecond) return [{ field: `${place}.name`, message: 'is given twice' }];
    const refusal = checkHeader(name, '');
    if (refusal !== null) return [{ field: `${place}.name`, message: refusal }];
    const fault = checkHeader(name, value);
    return fault === null ? [] : [{ field: `${place}.value`, message: fault }];
  });
}

/** The headers as they are sent. @throws SecretBoxError when a value was sealed under another SECRET_KEY. */
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

/** Headers as answers show them: without the values of secret ones. */
export function toPublicHeaders(stored: readonly StoredHeader[]): Static<typeof Headers> {
  return stored.map(({ name, value, is_secret }) =>
    is_secret ? { name, is_secret } : { name, value, is_secret },
  );
}

/** `text` without the values of the secret headers, in case a receiver echoes what it got. */
export function blotOutSecrets(
  text: string,
  stored: readonly StoredHeader[],
  opened: Readonly<Record<string, string>>,
): string {
  const secrets = stored.filter(({ is_secret }) => is_secret).map(({ name }) => opened[name] ?? '');
  return redactSecrets(text, secrets);
}
