/** The headers that a webhook sends along, and how the values of secret ones are kept (document 1, Secret headers). */

import Type, { type Static } from 'typebox';
import type { Issue } from '../../errors/app-error.ts';
import { checkHeader } from '../../outbound/header-rules.ts';
import type { OutboundClient } from '../../outbound/outbound-client.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import type { HeaderInput, Headers } from './schema.ts';

/** Headers as they are stored; `value` is sealed under the webhook's id when `is_secret`. */
export const StoredHeaders = Type.Array(
  Type.Object({ name: Type.String(), value: Type.String(), is_secret: Type.Boolean() }),
);
export type StoredHeader = Static<typeof StoredHeaders>[number];

/** What is needed to check and to seal headers. */
export interface HeaderTools {
  readonly outbound: Pick<OutboundClient, 'checkHeader'>;
  readonly secrets: SecretBox;
}

/** The headers to store, or what is wrong with the given ones. */
export type MergedHeaders =
  | { readonly ok: true; readonly headers: readonly StoredHeader[] }
  | { readonly ok: false; readonly issues: readonly Issue[] };

/**
 * What the given headers make of the stored ones, which they replace. A header without `is_secret` stays what it
 * was; a secret one without a value keeps the stored value, found by name whatever the case.
 * @param issueRoot where the headers stand in the body, for the issues: `target.headers`.
 */
export function mergeHeaders(
  tools: HeaderTools,
  webhookId: string,
  given: readonly HeaderInput[],
  stored: readonly StoredHeader[],
  issueRoot: string,
): MergedHeaders {
  const issues: Issue[] = [];
  const headers: StoredHeader[] = [];
  const names = new Set<string>();
  for (const [index, header] of given.entries()) {
    const place = `${issueRoot}[${index}]`;
    const key = header.name.toLowerCase();
    const known = stored.find((candidate) => candidate.name.toLowerCase() === key);
    const merged = names.has(key)
      ? { field: `${place}.name`, message: 'is given twice' }
      : mergeHeader(tools, webhookId, header, known, place);
    names.add(key);
    if ('message' in merged) issues.push(merged);
    else headers.push(merged);
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, headers };
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
  // A receiver that answers in JSON escapes what it echoes. The longest first, as one may be part of another; all in
  // one go, so that none is looked for in what stands for another.
  const forms = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  const patterns = [...new Set(forms)]
    .filter((form) => form !== '')
    .sort((a, b) => b.length - a.length)
    .map((form) => RegExp.escape(form));
  return patterns.length === 0 ? text : text.replaceAll(new RegExp(patterns.join('|'), 'g'), '[secret]');
}

function mergeHeader(
  { outbound, secrets }: HeaderTools,
  webhookId: string,
  { name, value, is_secret }: HeaderInput,
  known: StoredHeader | undefined,
  place: string,
): StoredHeader | Issue {
  const isSecret = is_secret ?? known?.is_secret ?? false;
  const refusal = outbound.checkHeader(name, '') ?? null;
  if (refusal !== null) return { field: `${place}.name`, message: refusal };
  if (value === undefined) return keepValue(secrets, webhookId, name, isSecret, known, place);
  const fault = outbound.checkHeader(name, value);
  if (fault !== null) return { field: `${place}.value`, message: fault };
  return { name, value: isSecret ? secrets.seal(value, webhookId) : value, is_secret: isSecret };
}

function keepValue(
  secrets: SecretBox,
  webhookId: string,
  name: string,
  isSecret: boolean,
  known: StoredHeader | undefined,
  place: string,
): StoredHeader | Issue {
  const field = `${place}.value`;
  if (known === undefined) return { field, message: 'is required for a new header' };
  if (!isSecret) {
    return { field, message: known.is_secret ? 'is required to make a secret header plain' : 'is required' };
  }
  const value = known.is_secret ? known.value : secrets.seal(known.value, webhookId);
  return { name, value, is_secret: true };
}
