import { useTenantQuery } from '../session/use-tenant-query.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import type { RecordKey } from './restore-request.ts';
import { historyTexts } from './texts.ts';

const { translate } = historyTexts;

/** Restorations that are read, the newest first. */
const MAX_RESTORATIONS = 100;

interface UnshownChangesProps {
  readonly recordKey: RecordKey;
  /** Number of a version in which nothing has changed that people see. */
  readonly version: number;
}

/** Says what a version without visible changes did. The activity of the record names the versions that restored it. */
export function UnshownChanges({ recordKey: { entityType, entitySortKey }, version }: UnshownChangesProps) {
  const filters = {
    entity_type: { eq: entityType },
    key: { eq: entitySortKey },
    action: { eq: 'restored' as const },
  };
  const { data, error } = useTenantQuery(
    ['history', entityType, entitySortKey, 'restorations'],
    (api, options) => api.activity.list({ limit: MAX_RESTORATIONS, filters }, options),
  );
  if (data === undefined && error === null) return <Skeleton count={1} />;
  const isRestoration = data?.results.some((change) => change.version === version) === true;
  return <p>{translate(isRestoration ? 'unshown.restored' : 'unshown')}</p>;
}
