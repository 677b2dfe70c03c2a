/**
 * Matchers are kept in each process, as many as there is room for. A check reads the revision of a project's rules, and with
 * it whether the caller reaches the project; of the rules only those are loaded that have changed since the process last did.
 */
import { LRUCache } from 'lru-cache';
import { NIL } from 'uuid';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { CoalescedReads } from '../../../tenancy/coalesced-reads.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { Matcher } from './matcher.ts';
import { findRevision, nextRules, type Revision } from './queries.ts';

/** What all matchers of a process take, bytes, about; one project may have half of it. */
const KEPT_OCTETS = 128 * 1024 * 1024;
/** What one takes beside its rules. */
const OVERHEAD = 1000;
/** How many rules are read at once. */
const PORTION = 2000;

/** A matcher that knows all changes of its project's rules up to one of them. */
interface Kept {
  readonly epoch: string;
  readonly changes: number;
  readonly matcher: Matcher;
}

const keptMatchers = oncePerPlatform(
  () =>
    new LRUCache<string, Kept>({
      maxSize: KEPT_OCTETS,
      sizeCalculation: ({ matcher }) => OVERHEAD + Math.ceil(matcher.octets),
    }),
);
const loads = oncePerPlatform(() => new CoalescedReads<Matcher | null>());
/** Simultaneous questions of one scope share an answer. */
const revisionLooks = new WeakMap<ScopedDb, CoalescedReads<Revision | null | undefined>>();

/**
 * The matcher of a project's rules as they are now; null: it has no rules. Undefined: the scope reaches no such project.
 * @param db outside a transaction
 */
export async function findMatcher(
  platform: Platform,
  db: ScopedDb,
  projectId: string,
): Promise<Matcher | null | undefined> {
  const looks = revisionLooks.get(db) ?? new CoalescedReads();
  revisionLooks.set(db, looks);
  const revision = await looks.find(projectId, () => findRevision(db, projectId));
  if (revision === null || revision === undefined) return revision;
  const name = `${db.tenantId} ${projectId}`;
  const keptNow = () => {
    const kept = keptMatchers(platform).get(name);
    return kept?.epoch === revision.epoch && kept.changes >= revision.changes ? kept.matcher : null;
  };
  // What somebody else has loaded meanwhile may be enough.
  const loadNow = async () => keptNow() ?? load(platform, db.tenantId, projectId);
  return keptNow() ?? loads(platform).find(name, loadNow);
}

/** Brings what is kept of a project up to date, or loads all of its rules; one at a time of each project. */
async function load(platform: Platform, tenantId: string, projectId: string): Promise<Matcher | null> {
  const db = platform.scoped(wholeTenant(tenantId));
  // Before the rules: those that change meanwhile are read again next time.
  const revision = await findRevision(db, projectId);
  if (revision === null || revision === undefined) return null;
  const { epoch, changes, removed_in } = revision;
  const name = `${tenantId} ${projectId}`;
  const kept = keptMatchers(platform).get(name);
  const isUsable = kept?.epoch === epoch && kept.changes >= removed_in;
  const matcher = isUsable ? kept.matcher : new Matcher();
  await changeSince(db, projectId, matcher, isUsable ? kept.changes : 0);
  // Set anew, as it takes another room now.
  keptMatchers(platform).set(name, { epoch, changes, matcher });
  return matcher;
}

/** Tells a matcher of all changes behind one. */
async function changeSince(db: ScopedDb, projectId: string, matcher: Matcher, change: number): Promise<void> {
  let last: { readonly changed_in: number; readonly id: string } = { changed_in: change + 1, id: NIL };
  for (;;) {
    const rules = await nextRules(db, projectId, last, PORTION);
    matcher.change(rules);
    if (rules.length < PORTION) break;
    last = rules.at(-1) ?? last;
  }
  await matcher.compilePatterns();
}
