/**
 * How often somebody may fail to sign in: per person and per client, as one address is tried with many passwords, and many
 * addresses with one password. And how many passwords are checked at once: each check takes 19 MiB and a thread.
 */
import { createHash } from 'node:crypto';
import { clientNetwork } from '../../http/client-network.ts';
import { limitedError, type WindowCounter, windowCounter } from '../../http/rate-limits.ts';
import { FairQueue } from '../../ledger/fair-queue.ts';
import { oncePerPlatform } from '../../platform.ts';

const MOST_FAILURES = 10;
const WINDOW_SECONDS = 15 * 60;
const CHECKS_AT_ONCE = 4;
const MAX_WAIT_MS = 15_000;
const MESSAGE = 'Too many attempts to sign in have failed. Try again later.';

/** Who tries to sign in as whom. */
export interface Attempt {
  /** The person's id, or the address that nobody has. */
  readonly who: string;
  readonly clientAddress: string;
}

/**
 * Runs a check, unless too many of this person or client have failed. Null from it is a failure. One client's attempts run one
 * after the other: those that are made at once cannot all pass before the first has failed.
 */
export const attempts = oncePerPlatform((platform) => {
  const areLimited = platform.config.rateLimits;
  const counter = windowCounter(platform, 'sign-in', WINDOW_SECONDS);
  const queue = new FairQueue({ inAll: CHECKS_AT_ONCE, perTarget: areLimited ? 1 : CHECKS_AT_ONCE });
  return async <Found>(attempt: Attempt, check: () => Promise<Found | null>): Promise<Found | null> => {
    const network = clientNetwork(attempt.clientAddress);
    const leave = await queue.enter({
      lane: 0,
      tenantId: '',
      targetId: network,
      maxWaitMs: MAX_WAIT_MS,
    });
    if (leave === null) throw limitedError(MAX_WAIT_MS, MESSAGE);
    try {
      return await counted(counter, keysOf(attempt.who, network), check);
    } finally {
      leave();
    }
  };
});

/**
 * Counts the attempt before its check, so that attempts made at once cannot all pass before the first has failed, and takes it
 * back unless it fails: a success, a refusal by the limit, or a fault of ours is no failed attempt.
 */
async function counted<Found>(
  counter: WindowCounter,
  keys: readonly string[],
  check: () => Promise<Found | null>,
): Promise<Found | null> {
  const windows = await Promise.all(keys.map((key) => counter.add(key)));
  let hasFailed = false;
  try {
    for (const { count, msLeft } of windows) if (count > MOST_FAILURES) throw limitedError(msLeft, MESSAGE);
    const found = await check();
    hasFailed = found === null;
    return found;
  } finally {
    if (!hasFailed) await Promise.all(keys.map((key) => counter.takeBack(key)));
  }
}

/** Hashed: a stranger chooses how long an address is, and no counter needs to tell who somebody is. */
function keysOf(who: string, network: string): string[] {
  return [`person ${createHash('sha256').update(who).digest('base64url')}`, `client ${network}`];
}
