/**
 * Limits on failed sign-ins, per user and per client: attackers try many passwords for one address, or one password for
 * many addresses. Also limits concurrent password checks, each of which takes 19 MiB and a thread.
 */
import { createHash } from 'node:crypto';
import { clientNetwork } from '../../../http/client-network.ts';
import { limitedError, type WindowCounter, windowCounter } from '../../../http/rate-limits.ts';
import { oncePerPlatform } from '../../../platform.ts';
import { FairQueue } from '../../../work-queue/fair-queue.ts';

const MAX_FAILURES = 10;
const WINDOW_SECONDS = 15 * 60;
const CHECKS_AT_ONCE = 4;
const MAX_WAIT_MS = 15_000;
const MESSAGE = 'Too many failed sign-in attempts. Try again later.';

/** A client's attempt to sign in as a user. */
export interface Attempt {
  /** Id of the user, or an unknown address. */
  readonly account: string;
  readonly clientAddress: string;
}

/**
 * Runs a check, unless too many of this user or client have failed. A result of null is a failure. Attempts of one
 * client run one after the other, so that concurrent ones cannot all start before the first has failed.
 */
export const attempts = oncePerPlatform((platform) => {
  const areLimited = platform.config.rateLimits;
  const counter = windowCounter(platform, 'sign-in', WINDOW_SECONDS);
  const queue = new FairQueue({ total: CHECKS_AT_ONCE, perTarget: areLimited ? 1 : CHECKS_AT_ONCE });
  return async <Found>(attempt: Attempt, check: () => Promise<Found | null>): Promise<Found | null> => {
    const network = clientNetwork(attempt.clientAddress);
    const release = await queue.enter({
      lane: 0,
      tenantId: '',
      targetId: network,
      maxWaitMs: MAX_WAIT_MS,
    });
    if (release === null) throw limitedError(MAX_WAIT_MS, MESSAGE);
    try {
      return await counted(counter, keysOf(attempt.account, network), check);
    } finally {
      release();
    }
  };
});

/**
 * Counts an attempt before its check, so that concurrent ones cannot all start before the first has failed. The
 * count is reverted unless the check fails: a success, a refusal by the limit or a fault of Tessera does not count.
 */
async function counted<Found>(
  counter: WindowCounter,
  keys: readonly string[],
  check: () => Promise<Found | null>,
): Promise<Found | null> {
  const windows = await Promise.all(keys.map((key) => counter.add(key)));
  let hasFailed = false;
  try {
    for (const { count, msLeft } of windows) if (count > MAX_FAILURES) throw limitedError(msLeft, MESSAGE);
    const found = await check();
    hasFailed = found === null;
    return found;
  } finally {
    if (!hasFailed) await Promise.all(keys.map((key) => counter.subtract(key)));
  }
}

/** Returns the counter keys, hashed because callers choose the length of addresses. Counters need no addresses. */
function keysOf(account: string, network: string): string[] {
  return [`person ${createHash('sha256').update(account).digest('base64url')}`, `client ${network}`];
}
