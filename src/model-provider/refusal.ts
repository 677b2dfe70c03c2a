/** What a provider says when it refuses, in words that may be shown to the tenant. */
import type { Config } from '../config.ts';
import { storable } from '../db/storable.ts';

const MAX_SHOWN = 300;

/** The keys that providers are sent. */
export type ProviderKeys = Pick<Config, 'llmApiKey' | 'embeddingsApiKey'>;

/** A sentence of the status and, where the body has one in the usual place, the provider's own message. */
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

/** So much of a text that comes from a provider, without the keys, which it may repeat: of one that is cut a part would stay. */
export function shown(text: string, { llmApiKey, embeddingsApiKey }: ProviderKeys, most: number): string {
  const keys = [llmApiKey ?? '', embeddingsApiKey ?? ''].filter((key) => key !== '');
  // One may begin with the other.
  const inOrder = keys.toSorted((a, b) => b.length - a.length);
  return storable(inOrder.reduce((left, key) => left.replaceAll(key, '[key]'), text).slice(0, most));
}

/** The message of an error body `{error: {message}}`. */
export function messageIn(body: unknown): string | null {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  const isNamed = typeof error === 'object' && error !== null && 'message' in error;
  return isNamed && typeof error.message === 'string' ? error.message : null;
}

/** A text's JSON; undefined for what is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
