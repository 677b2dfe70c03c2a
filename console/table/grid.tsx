import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import type { ShownColumn } from './column.ts';
import { WIDTHS } from './column.ts';
import classes from './grid.module.css';
import { GridHeader } from './grid-header.tsx';
import { GridRow } from './grid-row.tsx';
import { useGridFocus } from './use-grid-focus.ts';
import type { Pages } from './use-pages.ts';
import type { SelectionState } from './use-selection.ts';
import type { Table } from './use-table.ts';
import { HEADER_HEIGHT, useVisibleRows } from './use-visible-rows.ts';

/** Rows that hold the place of the first page. */
const PLACEHOLDER_ROWS = 8;
const CHECKBOX_WIDTH = 40;
const ACTIONS_WIDTH = 84;

/** Parts of a row besides its columns. */
export interface RowOptions<Row> {
  readonly keyOf: (row: Row) => string;
  /** Path of the screen of a row. */
  readonly hrefOf?: ((row: Row) => string) | undefined;
  /** Buttons at the end of a row: one or two. */
  readonly actionsOf?: ((row: Row) => ReactNode) | undefined;
}

/** The content of a table. */
export interface GridContent<Row> extends RowOptions<Row> {
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly table: Table<Row>;
  readonly pages: Pages<Row>;
}

/** A table with what the user sees of it. */
export interface GridProps<Row> extends GridContent<Row> {
  /** Null if rows cannot be selected. */
  readonly selection: SelectionState | null;
  readonly isCards: boolean;
}

/** The rows of a table. Only visible rows are in the page. On phones each row is a card. */
export function Grid<Row>({ label, table, pages, selection, isCards, ...options }: GridProps<Row>) {
  const grid = useRef<HTMLDivElement>(null);
  const [row, setRow] = useState(0);
  const [draft, setDraft] = useState<ColumnWidth | null>(null);
  const count = pages.isLoading ? PLACEHOLDER_ROWS : pages.count;
  const rowHeight = table.isCompact ? 28 : 36;
  const visible = useVisibleRows({ frame: grid, count, rowHeight, isCards, keptRow: row });
  const focus = useGridFocus({
    grid,
    count,
    row,
    onMove: setRow,
    selection,
    scrollTo: visible.scrollTo,
    screenRows: () =>
      Math.max(1, Math.floor(((grid.current?.clientHeight ?? 0) - HEADER_HEIGHT) / rowHeight) - 1),
  });
  const query = table.key.join(' ');
  const shownQuery = useRef(query);
  const { scrollTo } = visible;
  useEffect(() => {
    if (shownQuery.current === query) return;
    shownQuery.current = query;
    setRow(0);
    scrollTo(0);
  }, [query, scrollTo]);
  const { show } = pages;
  const [first = 0, last = 0] = [visible.rows[0]?.index, visible.rows.at(-1)?.index];
  useEffect(() => show(first, last), [show, first, last]);
  const shown = table.shown.map((column) =>
    column.id === draft?.id ? { ...column, chosenWidth: draft.width } : column,
  );
  const hasActions = options.actionsOf !== undefined;
  const total = pages.total ?? -1;
  return (
    <div
      ref={grid}
      className={classes.grid}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={total === -1 ? -1 : total + 1}
      aria-colcount={shown.length + (selection === null ? 0 : 1) + (hasActions ? 1 : 0)}
      aria-multiselectable={selection !== null}
      aria-busy={pages.isOld || pages.isLoading}
      data-compact={table.isCompact || undefined}
      data-cards={isCards || undefined}
      data-selectable={selection !== null || undefined}
      style={styleOf(shown, selection !== null, hasActions, isCards ? null : visible.maxHeight)}
      onFocus={focus.onFocus}
      onKeyDown={focus.onKeyDown}
    >
      <GridHeader
        table={table}
        shown={shown}
        selection={selection}
        pages={pages}
        hasActions={hasActions}
        onDraft={setDraft}
      />
      <div
        className={classes.body}
        role="rowgroup"
        style={{ height: visible.height }}
        data-loading={pages.isLoading || undefined}
      >
        {visible.rows.map(({ index, start }) => {
          const item = pages.rowAt(index);
          return (
            <GridRow
              key={item === undefined ? `row ${index}` : options.keyOf(item)}
              row={item}
              index={index}
              start={start}
              columns={shown}
              selection={selection}
              measure={visible.measure}
              {...options}
            />
          );
        })}
      </div>
    </div>
  );
}

/** Width of a column while it is dragged. */
export interface ColumnWidth {
  readonly id: string;
  readonly width: number;
}

/** Columns share the width of the table, but none gets smaller than it needs: then the table scrolls sideways. */
function styleOf<Row>(
  columns: readonly ShownColumn<Row>[],
  isSelectable: boolean,
  hasActions: boolean,
  maxHeight: number | null,
): CSSProperties & Readonly<Record<`--${string}`, string>> {
  const widths = columns.map(({ chosenWidth, width = WIDTHS.usual }) => chosenWidth ?? width);
  const isFixed = columns.every(({ chosenWidth }) => chosenWidth !== null);
  const tracks = columns.map(({ chosenWidth }, index) => {
    const isFlexible = chosenWidth === null || (isFixed && index === columns.length - 1);
    return isFlexible ? `minmax(${widths[index]}px, ${widths[index]}fr)` : `${chosenWidth}px`;
  });
  const sides = (isSelectable ? CHECKBOX_WIDTH : 0) + (hasActions ? ACTIONS_WIDTH : 0);
  return {
    '--tracks': [
      ...(isSelectable ? [`${CHECKBOX_WIDTH}px`] : []),
      ...tracks,
      ...(hasActions ? [`${ACTIONS_WIDTH}px`] : []),
    ].join(' '),
    '--width': `${widths.reduce((sum, width) => sum + width, sides)}px`,
    ...(maxHeight === null ? {} : { maxHeight }),
  };
}
