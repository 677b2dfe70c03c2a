import { createContext, useContext } from 'react';
import type { EntityTypeName } from '../../sdk/src/generated/schemas.ts';
import type { RecordScreen } from '../feature.ts';
import { useMembership } from '../session/session-context.tsx';
import { useTenantPath } from './tenant-path.ts';

/** Returns the path of a record's screen, or of one of its versions; null if the user cannot open one. */
export type RecordPath = (kind: EntityTypeName, key: string, version?: number) => string | null;

/** The screens of records that the features declare. */
export const RecordScreens = createContext<readonly RecordScreen[]>([]);

/** Returns a function that makes paths of records of any kind, for links. */
export function useRecordPath(): RecordPath {
  const screens = useContext(RecordScreens);
  const pathOf = useTenantPath();
  const { is_tenant_admin } = useMembership();
  return (kind, key, version) => {
    const screen = screens.find((each) => each.kind === kind);
    if (screen === undefined || (screen.isForOwners === true && !is_tenant_admin)) return null;
    const hasVersion = version !== undefined && screen.hasHistory === true;
    return pathOf(screen.pathOf(encodeURIComponent(key)), hasVersion ? { history: version } : {});
  };
}
