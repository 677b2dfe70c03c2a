import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { TesseraError } from '../../sdk/src/index.ts';
import { Page } from '../ui/page.tsx';
import { MissingRecord, type MissingRecordProps } from './missing-record.tsx';
import { UnreadRecord } from './unread-record.tsx';

interface RecordPageProps<Data> {
  /** The request for the record. */
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  /** Title until the record is read. */
  readonly title: string;
  /** Words and link that are shown if the record does not exist. */
  readonly missing: MissingRecordProps;
  /** Returns the content of the page. */
  readonly children: (record: Data) => ReactNode;
  /** Content below that is requested at the same time. It is left out if the record cannot be read. */
  readonly below?: ReactNode;
}

/** The page of one record, from placeholders to its content, or the reason why there is none. */
export function RecordPage<Data>({ query, title, missing, children, below }: RecordPageProps<Data>) {
  const { data, error } = query;
  if (error instanceof TesseraError && error.status === 404) return <MissingRecord {...missing} />;
  return (
    <Page>
      {data === undefined ? <UnreadRecord title={title} query={query} /> : children(data)}
      {data === undefined && error !== null ? null : below}
    </Page>
  );
}
