/** A provider's reasons for a refusal, in words that may be shown to the tenant. */
import type { Config } from '../config.ts';
import { storable } from '../db/storable.ts';

const MAX_SHOWN = 300;

/** The keys that are sent to providers. */
export type ProviderKeys = Pick<Config, 'llmApiKey' | 'embeddingsApiKey'>;

/** Statuses with which a provider refuses its input. Plain texts of others come from proxies and may name our hosts. */
export const REFUSALS: readonly number[] = [400, 413, 422];

/** Returns a sentence with the status and, if the body has one in the usual place, the provider's own message. */
export function refusalOf(
  kind: 'model' | 'embeddings',
  status: number,
  body: string,
  keys: ProviderKeys,
): string {
  const own = messageIn(parseJson(body)) ?? (REFUSALS.includes(status) ? plainMessage(body) : null);
  const providerText = own === null ? '' : `: ${shorten(own, keys, MAX_SHOWN)}`;
  return `The ${kind} provider answered ${status}${providerText}`;
}

/**
 * Shortens a provider's text and removes the keys, which it may repeat. Keys are removed before the cut, which could
 * leave a part of one.
 */
export function shorten(
  text: string,
  { llmApiKey, embeddingsApiKey }: ProviderKeys,
  maxLength: number,
): string {
  const keys = [llmApiKey ?? '', embeddingsApiKey ?? ''].filter((key) => key !== '');
  // One key may begin with the other.
  const inOrder = keys.toSorted((a, b) => b.length - a.length);
  return storable(inOrder.reduce((left, key) => left.replaceAll(key, '[key]'), text).slice(0, maxLength));
}

/** Members in which providers and gateways put the reason, the most telling first. */
const MESSAGE_MEMBERS = ['error', 'errors', 'message', 'detail', 'msg', 'error_description'];
const MAX_DEPTH = 4;

/** Returns the message of an error body, such as `{error: {message}}`, `{error: text}` or `{detail: [{msg}]}`. */
export function messageIn(body: unknown, depth = 0): string | null {
  if (typeof body === 'string') return depth > 0 && body.trim() !== '' ? body : null;
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH) return null;
  if (Array.isArray(body)) return messageIn(body[0], depth + 1);
  const members = new Map<string, unknown>(Object.entries(body));
  for (const name of MESSAGE_MEMBERS) {
    const message = messageIn(members.get(name), depth + 1);
    if (message !== null) return message;
  }
  return null;
}

/** Returns the text of a body that is neither JSON nor a page. */
function plainMessage(body: string): string | null {
  const text = body.trim();
  return text === '' || /^[<{[]/.test(text) ? null : text;
}

/** Parses JSON; returns undefined if the text is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
