/**
 * Checks URLs in definitions when they are saved. The same rules apply when a call is made, but so the author of a URL
 * that can never be called gets an error at once.
 */
import type { Issue } from '../errors/app-error.ts';
import type { OutboundClient } from './outbound-client.ts';
import { parseTarget } from './target-policy.ts';

/** A URL that a definition calls. */
export interface DefinitionTarget {
  /** Path of the field in the body, such as `steps[2].url`. */
  readonly field: string;
  readonly url: unknown;
}

const EXPRESSION_START = '{{';
/** Maximum number of hosts that are resolved for one definition; others are checked when they are called. */
const MAX_HOSTS = 20;

/** Returns the faults of URLs without expressions. Resolves host names, so do not call it in a transaction. */
export async function findTargetFaults(
  outbound: OutboundClient,
  targets: readonly DefinitionTarget[],
): Promise<Issue[]> {
  const checks = new Map<string, Promise<string | null>>();
  const faults = targets.map(async ({ field, url }): Promise<Issue[]> => {
    if (typeof url !== 'string' || url.includes(EXPRESSION_START)) return [];
    const target = parseTarget(url);
    if (typeof target === 'string') return [{ field, message: target }];
    const known = checks.get(target.hostname);
    if (!known && checks.size === MAX_HOSTS) return [];
    const check = known ?? outbound.checkTarget(target.href);
    checks.set(target.hostname, check);
    const message = await check;
    return message === null ? [] : [{ field, message }];
  });
  return (await Promise.all(faults)).flat();
}
