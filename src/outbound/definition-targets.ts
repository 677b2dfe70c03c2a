/**
 * Addresses in definitions, checked when these are saved: the same rules hold when a call is made, but whoever saves an address that is
 * never reachable hears of it at once.
 */
import type { Issue } from '../errors/app-error.ts';
import type { OutboundClient } from './outbound-client.ts';
import { parseTarget } from './target-policy.ts';

/** An address that calls will go to. */
export interface DefinitionTarget {
  /** Where it is in the body: `steps[2].url`. */
  readonly field: string;
  readonly url: unknown;
}

const EXPRESSION_START = '{{';
/** Hosts that are looked up for one definition; those beyond are checked when they are called. */
const MAX_HOSTS = 20;

/** Faults of addresses that hold no expression. Looks hosts up: not inside a transaction. */
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
