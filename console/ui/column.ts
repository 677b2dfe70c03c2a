import type { ReactNode } from 'react';

/** A column of a table. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are aligned at the end. */
  readonly isNumber?: boolean;
}
