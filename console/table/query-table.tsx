import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadFailure } from '../shell/load-failure.tsx';
import type { Column } from '../ui/column.ts';
import { SimpleTable } from '../ui/simple-table.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import classes from './query-table.module.css';

interface QueryTableProps<Data, Row> {
  readonly label: string;
  readonly query: UseQueryResult<Data>;
  readonly rowsOf: (data: Data) => readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly hrefOf?: (row: Row) => string;
  readonly actionsOf?: (row: Row) => ReactNode;
  /** Shown instead of a table without rows. */
  readonly empty: ReactNode;
}

/** A table of the rows of a query: placeholders while loading, the rows, or the reason why there are none. */
export function QueryTable<Data, Row>({ query, rowsOf, empty, ...table }: QueryTableProps<Data, Row>) {
  const { data, error, isFetching, isPlaceholderData, refetch } = query;
  if (data === undefined)
    return error === null ? (
      <Skeleton shape="rows" count={6} />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
    );
  const rows = rowsOf(data);
  return (
    <div className={classes.content} aria-busy={isPlaceholderData}>
      {rows.length === 0 ? empty : <SimpleTable rows={rows} {...table} />}
    </div>
  );
}
