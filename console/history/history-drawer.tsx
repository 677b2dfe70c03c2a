import { useState } from 'react';
import { LoadFailure } from '../shell/load-failure.tsx';
import { Drawer } from '../ui/drawer.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TextLink } from '../ui/text-link.tsx';
import type { HistoryRecord } from './history-record.ts';
import type { HistorySearch } from './history-search.ts';
import { historyTexts } from './texts.ts';
import { useActivityPath } from './use-activity-path.ts';
import { useVersions } from './use-versions.ts';
import { VersionComparison } from './version-comparison.tsx';
import { VersionList } from './version-list.tsx';

const { translate } = historyTexts;

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
  const query = useVersions(record.key);
  const { data, error, refetch, isFetching } = query;
  const activityPath = useActivityPath();
  if (data === undefined)
    return error === null ? (
      <Skeleton count={6} />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
    );
  const versions = data.pages.flat();
  return typeof shown === 'number' ? (
    <VersionComparison
      key={shown}
      record={record}
      versions={versions}
      isComplete={!query.hasNextPage}
      shown={shown}
      back={
        <p>
          <TextLink href={record.hrefOf(true)}>{translate('all')}</TextLink>
        </p>
      }
      onDone={onClose}
    />
  ) : (
    <>
      <VersionList record={record} query={query} />
      <p>
        <TextLink href={activityPath(record.key)}>{translate('activity')}</TextLink>
      </p>
    </>
  );
}
