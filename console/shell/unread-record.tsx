import type { UseQueryResult } from '@tanstack/react-query';
import { PageHeader } from '../ui/page-header.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { LoadFailure } from './load-failure.tsx';

interface UnreadRecordProps {
  /** Title until the record's own is known. */
  readonly title: string;
  readonly query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;
}

/** Content of a record's page until it is read: placeholders, or the reason why it cannot be read. */
export function UnreadRecord({ title, query: { error, isFetching, refetch } }: UnreadRecordProps) {
  return (
    <>
      <PageHeader title={title} />
      {error === null ? (
        <Skeleton count={4} />
      ) : (
        <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
      )}
    </>
  );
}
