import { useLocation } from '@tanstack/react-router';
import type { NavigationEntry } from '../feature.ts';
import { useMembership } from '../session/session-context.tsx';
import { type NavigationGroup, navigationOf } from './navigation.ts';

/** Position of the current screen in the navigation. */
export interface Place {
  readonly group: NavigationGroup;
  readonly entry: NavigationEntry;
  /** True on the screen of the entry itself, false on those below it. */
  readonly isEntry: boolean;
}

/** Returns the place of the current screen; undefined for screens that the navigation does not have. */
export function usePlace(): Place | undefined {
  const { pathname } = useLocation();
  const path = pathname.replace(/^\/t\/[^/]+\/?/, '');
  // The longest path wins: "settings/members" is not an entry of "settings".
  return navigationOf(useMembership())
    .flatMap((group) => group.entries.map((entry) => ({ group, entry, isEntry: path === entry.path })))
    .filter(({ entry, isEntry }) => isEntry || (entry.path !== '' && path.startsWith(`${entry.path}/`)))
    .sort((one, other) => other.entry.path.length - one.entry.path.length)[0];
}
