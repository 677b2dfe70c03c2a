import { type MouseEvent, useId } from 'react';
import { PlainLink } from '../ui/plain-link.tsx';
import type { ShownColumn } from './column.ts';
import classes from './grid.module.css';
import type { RowOptions } from './grid.tsx';
import type { SelectionState } from './use-selection.ts';

interface GridRowProps<Row> extends RowOptions<Row> {
  /** Undefined while it is not loaded. */
  readonly row: Row | undefined;
  readonly index: number;
  /** Position below the first row, in px. */
  readonly start: number;
  readonly columns: readonly ShownColumn<Row>[];
  readonly selection: SelectionState | null;
  readonly measure: (element: Element | null) => void;
}

/** One row, or the place of one that is not loaded. */
export function GridRow<Row>(props: GridRowProps<Row>) {
  const { row, index, start, columns, selection, measure, keyOf, actionsOf } = props;
  const nameId = useId();
  const isSelected = row !== undefined && selection?.has(keyOf(row)) === true;
  const firstColumn = selection === null ? 1 : 2;
  return (
    <div
      ref={measure}
      className={classes.row}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={selection === null ? undefined : isSelected}
      data-index={index}
      data-link={(row !== undefined && props.hrefOf !== undefined) || undefined}
      data-actions={actionsOf !== undefined || undefined}
      style={{ transform: `translateY(${start}px)` }}
    >
      {selection === null ? null : (
        <div className={classes.select} role="gridcell" tabIndex={-1} aria-colindex={1}>
          {row === undefined ? null : (
            <input
              type="checkbox"
              className={classes.checkbox}
              aria-labelledby={nameId}
              checked={isSelected}
              onChange={() => undefined}
              onClick={(event: MouseEvent) => selection.toggle(index, event.shiftKey)}
            />
          )}
        </div>
      )}
      {columns.map((column, place) => (
        <div
          key={column.id}
          className={classes.cell}
          role={place === 0 && row !== undefined ? 'rowheader' : 'gridcell'}
          tabIndex={-1}
          aria-colindex={firstColumn + place}
          data-title={column.title}
          data-number={column.isNumber || undefined}
        >
          {row === undefined ? (
            <span className={classes.placeholder} />
          ) : (
            <Content
              column={column}
              row={row}
              href={place === 0 ? props.hrefOf?.(row) : undefined}
              id={place === 0 ? nameId : undefined}
            />
          )}
        </div>
      ))}
      {actionsOf === undefined ? null : (
        <div
          className={classes.actions}
          role="gridcell"
          tabIndex={-1}
          aria-colindex={firstColumn + columns.length}
        >
          {row === undefined ? null : <div>{actionsOf(row)}</div>}
        </div>
      )}
    </div>
  );
}

interface ContentProps<Row> {
  readonly column: ShownColumn<Row>;
  readonly row: Row;
  readonly href: string | undefined;
  readonly id: string | undefined;
}

function Content<Row>({ column, row, href, id }: ContentProps<Row>) {
  const content = (
    <span className={classes.content} id={id} dir="auto">
      {column.cell(row)}
    </span>
  );
  return href === undefined ? (
    content
  ) : (
    <PlainLink className={classes.link} href={href}>
      {content}
    </PlainLink>
  );
}
