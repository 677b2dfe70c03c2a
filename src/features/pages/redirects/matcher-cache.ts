/**
 * An in-memory cache of matchers. A check reads the revision of a project's rules, which also shows whether the caller
 * can access the project. Only rules that changed since the cached revision are loaded.
 */
import { LRUCache } from 'lru-cache';
import { NIL } from 'uuid';
import { shareBytes } from '../../../memory/shares.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { CoalescedReads } from '../../../tenancy/coalesced-reads.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { Matcher } from './matcher.ts';
import { findRevision, nextRules, type Revision } from './queries.ts';

/** Overhead of a matcher in addition to its rules, in bytes. */
const OVERHEAD = 1000;
/** Rules per read. */
const BATCH_SIZE = 2000;

/** A matcher with all changes of its project's rules up to a number. */
interface CacheEntry {
  readonly epoch: string;
  readonly changes: number;
  readonly matcher: Matcher;
}

const cacheOf = oncePerPlatform(
  (platform) =>
    new LRUCache<string, CacheEntry>({
      maxSize: shareBytes(platform, 'redirectCache'),
      sizeCalculation: ({ matcher }) => OVERHEAD + Math.ceil(matcher.bytes),
    }),
);
const loads = oncePerPlatform(() => new CoalescedReads<Matcher | null>());
/** Coalesces concurrent reads of a revision. */
const revisionReads = new WeakMap<ScopedDb, CoalescedReads<Revision | null | undefined>>();

/**
 * Returns the current matcher of a project: null without rules, undefined if the scope has no such project. @param db
 * outside a transaction
 */
export async function findMatcher(
  platform: Platform,
  db: ScopedDb,
  projectId: string,
): Promise<Matcher | null | undefined> {
  const reads = revisionReads.get(db) ?? new CoalescedReads();
  revisionReads.set(db, reads);
  const revision = await reads.find(projectId, () => findRevision(db, projectId));
  if (revision === null || revision === undefined) return revision;
  const name = `${db.tenantId} ${projectId}`;
  const findCached = () => {
    const entry = cacheOf(platform).get(name);
    return entry?.epoch === revision.epoch && entry.changes >= revision.changes ? entry.matcher : null;
  };
  // Another caller may have loaded this revision meanwhile.
  const findOrLoad = async () => findCached() ?? load(platform, db.tenantId, projectId);
  return findCached() ?? loads(platform).find(name, findOrLoad);
}

/** Updates the cached matcher of a project, or loads all of its rules. Runs once at a time per project. */
async function load(platform: Platform, tenantId: string, projectId: string): Promise<Matcher | null> {
  const db = platform.scoped(wholeTenant(tenantId));
  // Read the revision before the rules: later changes are read again next time.
  const revision = await findRevision(db, projectId);
  if (revision === null || revision === undefined) return null;
  const { epoch, changes, removed_in } = revision;
  const name = `${tenantId} ${projectId}`;
  const entry = cacheOf(platform).get(name);
  const isUsable = entry?.epoch === epoch && entry.changes >= removed_in;
  const matcher = isUsable ? entry.matcher : new Matcher();
  await applyChanges(db, projectId, matcher, isUsable ? entry.changes : 0);
  // Set it again, because its size has changed.
  cacheOf(platform).set(name, { epoch, changes, matcher });
  return matcher;
}

/** Applies all changes after a number to a matcher. */
async function applyChanges(
  db: ScopedDb,
  projectId: string,
  matcher: Matcher,
  change: number,
): Promise<void> {
  let last: { readonly changed_in: number; readonly id: string } = { changed_in: change + 1, id: NIL };
  for (;;) {
    const rules = await nextRules(db, projectId, last, BATCH_SIZE);
    matcher.change(rules);
    if (rules.length < BATCH_SIZE) break;
    last = rules.at(-1) ?? last;
  }
  await matcher.compilePatterns();
}
