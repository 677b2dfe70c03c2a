/** Rows that are dealt with without leases, many in one transaction. */
import { isNodeAway } from '../db/node-away.ts';
import { settleAll } from '../db/settle-all.ts';
import type { Platform } from '../platform.ts';
import type { LedgerDefinition } from './ledger.ts';
import type { Share } from './ledger-queries.ts';
import { targetKey } from './turns.ts';

/** How many rows one transaction deals with. */
const MOST_TOGETHER = 1000;
/** How many such transactions run at the same time, on connections of their own. */
const AT_ONCE = 2;

/** What the consumption must know of a ledger. */
type ConsumedLedger = Pick<LedgerDefinition<never>, 'name' | 'consume'>;

/**
 * Has a ledger deal with the rows of these shares, if it does so; returns those whose rows are to be claimed and attempted, as one of
 * them breaks the others, say. @throws what it says where a node is away: claims would not reach it either.
 */
export async function consumeShares(
  platform: Platform,
  { name: ledger, consume }: ConsumedLedger,
  shares: readonly Share[],
): Promise<readonly Share[]> {
  if (consume === undefined) return shares;
  const broken = new Set<string>();
  const { failures } = await settleAll(shares.flatMap(inParts), atOnceOn(platform), async (share) => {
    const { tenant_id: tenantId, target_id: targetId } = share;
    try {
      const count = await consume(platform, { tenantId, targetId }, share.count);
      platform.observe({ event: 'ledger.settled', ledger, outcome: 'success', count });
    } catch (error) {
      if (isNodeAway(error)) throw error;
      platform.observe({ event: 'ledger.failed', ledger, error });
      broken.add(targetKey(tenantId, targetId));
    }
  });
  if (failures.length > 0) throw failures[0];
  return shares.filter(({ tenant_id, target_id }) => broken.has(targetKey(tenant_id, target_id)));
}

/** On a cluster those of several tenants are consumed at once already. */
function atOnceOn({ database }: Platform): number {
  return database.isSharded || database.kind === 'embedded' ? 1 : AT_ONCE;
}

function inParts(share: Share): Share[] {
  const parts: Share[] = [];
  for (let left = share.count; left > 0; left -= MOST_TOGETHER)
    parts.push({ ...share, count: Math.min(left, MOST_TOGETHER) });
  return parts;
}
