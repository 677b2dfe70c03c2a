import { useState } from 'react';
import type { DraftFields } from '../drafts/draft-fields.ts';
import { isMembers } from '../drafts/json.ts';
import { LoadFailure } from '../shell/load-failure.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { HistorySearch } from './history-search.ts';
import type { RecordKey, Version } from './restore-request.ts';
import { historyTexts } from './texts.ts';
import { useVersions } from './use-versions.ts';
import { VersionComparison } from './version-comparison.tsx';
import { VersionList } from './version-list.tsx';

const { translate } = historyTexts;

/** A record whose history is shown. */
export interface HistoryRecord {
  readonly key: RecordKey;
  readonly name: string;
  /** The parts of a version that people see, with their labels. */
  readonly fields: DraftFields;
  /** Returns the path of the screen with this part of the history. */
  readonly hrefOf: (history: true | number) => string;
  /** Reads the record again. */
  readonly reload: () => Promise<void>;
}

interface HistoryProps {
  readonly record: HistoryRecord;
  /** True for all versions, a number for one of them. */
  readonly shown: true | number;
  readonly onClose: () => void;
}

interface HistoryDrawerProps extends Omit<HistoryProps, 'shown'> {
  readonly isOpen: boolean;
  /** The parameter of the URL. */
  readonly shown: HistorySearch['history'];
}

/** The versions of a record: who changed what, how they differ, and how to restore one. */
export function HistoryDrawer({ isOpen, shown = true, record, onClose }: HistoryDrawerProps) {
  // While the drawer closes, it keeps what it showed.
  const [kept, keep] = useState(shown);
  if (isOpen && shown !== kept) keep(shown);
  return (
    <Drawer
      title={translate('title')}
      description={record.name}
      width="wide"
      isOpen={isOpen}
      onClose={onClose}
    >
      <History record={record} shown={kept} onClose={onClose} />
    </Drawer>
  );
}

function History({ record, shown, onClose }: HistoryProps) {
  const { data, error, refetch, isFetching } = useVersions(record.key);
  if (data === undefined)
    return error === null ? (
      <Skeleton count={6} />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
    );
  const versions = data.flatMap((version): Version[] =>
    isMembers(version.data) ? [{ ...version, data: version.data }] : [],
  );
  return typeof shown === 'number' ? (
    <VersionComparison key={shown} record={record} versions={versions} shown={shown} onDone={onClose} />
  ) : (
    <VersionList record={record} versions={versions} />
  );
}
