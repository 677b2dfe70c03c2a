import type { ListedVersion } from '../../sdk/src/generated/schemas.ts';
import { useMembership } from '../session/session-context.tsx';

/** Returns the names of the user's units and of the authors of versions by their ids, which need no request. */
export function useKnownNames(versions: readonly ListedVersion[]): ReadonlyMap<string, string> {
  const { units } = useMembership();
  const authors = versions.flatMap(({ actor }) => {
    if (actor?.kind !== 'member' || actor.name === undefined) return [];
    const { name, user_id = '', membership_id = '' } = actor;
    return [
      [user_id, name],
      [membership_id, name],
    ] as const;
  });
  return new Map([...units.map(({ bu_id, name }) => [bu_id, name] as const), ...authors]);
}
