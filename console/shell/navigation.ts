import { NAVIGATION_GROUPS, type NavigationEntry } from '../feature.ts';
import { FEATURES } from '../features/index.ts';
import type { SessionMembership } from '../session/session.ts';

/** A group of the sidebar. */
export interface NavigationGroup {
  readonly name: (typeof NAVIGATION_GROUPS)[number];
  readonly entries: readonly NavigationEntry[];
}

/** Returns the groups of links for a member. Groups without a link are left out. */
export function navigationOf({ is_tenant_admin }: SessionMembership): NavigationGroup[] {
  const entries = FEATURES.flatMap(({ navigation = [] }) => navigation);
  const visible = entries.filter(({ isForOwners = false }) => is_tenant_admin || !isForOwners);
  return NAVIGATION_GROUPS.map((name) => ({
    name,
    entries: visible.filter(({ group }) => group === name),
  })).filter((group) => group.entries.length > 0);
}
