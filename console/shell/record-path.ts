import { createContext, useContext } from 'react';
import type { EntityTypeName, SearchKindName } from '../../sdk/src/generated/schemas.ts';
import type { RecordScreen } from '../feature.ts';
import { readKind } from '../kinds/kinds.ts';
import { useMembership } from '../session/session-context.tsx';
import { useTenantPath } from './tenant-path.ts';

/** Returns the path of a record's screen, or of one of its versions; null if the user cannot open one. */
export type RecordPath = (kind: SearchKindName, key: string, version?: number) => string | null;

/** The screens of records that the features declare. */
export const RecordScreens = createContext<readonly RecordScreen[]>([]);

/** Returns a function that makes paths of the page with a record's history, which every kind has. */
export function useRecordHistoryPath(): (kind: EntityTypeName, key: string, version?: number) => string {
  const pathOf = useTenantPath();
  return (kind, key, version) =>
    pathOf(`activity/${kind}/${encodeURIComponent(key)}`, version === undefined ? {} : { version });
}

/** Returns a function that makes paths of the screens that kinds have of their own; null for other kinds. */
export function useRecordScreen(): RecordPath {
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

/** Returns a function that makes paths of records of any kind, for links. Kinds without a screen have their history. */
export function useRecordPath(): (kind: EntityTypeName, key: string, version?: number) => string {
  const screens = useContext(RecordScreens);
  const screenPath = useRecordScreen();
  const historyPath = useRecordHistoryPath();
  return (kind, key, version) => {
    const hasHistory = screens.some((screen) => screen.kind === kind && screen.hasHistory === true);
    const path = version === undefined || hasHistory ? screenPath(kind, key, version) : null;
    return path ?? historyPath(kind, key, version);
  };
}

/** Returns a function that makes paths of found records; null for records without a screen and without history. */
export function useFoundRecordPath(): (kind: SearchKindName, key: string) => string | null {
  const screenPath = useRecordScreen();
  const recordPath = useRecordPath();
  return (kind, key) => {
    const kindWithHistory = readKind(kind);
    return kindWithHistory === null ? screenPath(kind, key) : recordPath(kindWithHistory, key);
  };
}
