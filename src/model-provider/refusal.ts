/** A provider's reasons for a refusal, in words that may be shown to the tenant. */
import type { Config } from '../config.ts';
import { storable } from '../db/storable.ts';

const MAX_SHOWN = 300;

/** The keys that are sent to providers. */
export type ProviderKeys = Pick<Config, 'llmApiKey' | 'embeddingsApiKey'>;

/** Returns a sentence with the status and, if the body has one in the usual place, the provider's own message. */
export function refusalOf(
  kind: 'model' | 'embeddings',
  status: number,
  body: string,
  keys: ProviderKeys,
): string {
  const own = messageIn(parseJson(body));
  const said = own === null ? '' : `: ${shown(own, keys, MAX_SHOWN)}`;
  return `The ${kind} provider answered ${status}${said}`;
}

/**
 * Shortens a provider's text and removes the keys, which it may repeat. Keys are removed before the cut, which could
 * leave a part of one.
 */
export function shown(text: string, { llmApiKey, embeddingsApiKey }: ProviderKeys, most: number): string {
  const keys = [llmApiKey ?? '', embeddingsApiKey ?? ''].filter((key) => key !== '');
  // One key may begin with the other.
  const inOrder = keys.toSorted((a, b) => b.length - a.length);
  return storable(inOrder.reduce((left, key) => left.replaceAll(key, '[key]'), text).slice(0, most));
}

/** Returns the message of an error body `{error: {message}}`. */
export function messageIn(body: unknown): string | null {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  const isNamed = typeof error === 'object' && error !== null && 'message' in error;
  return isNamed && typeof error.message === 'string' ? error.message : null;
}

/** Parses JSON; returns undefined if the text is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
