import type { PointerEvent } from 'react';
import { Icon } from '../ui/icon.tsx';
import { PlainButton } from '../ui/plain-button.tsx';
import { clampWidth, fieldOf, printColumns, type ShownColumn, WIDTHS } from './column.ts';
import classes from './grid.module.css';
import type { ColumnWidth } from './grid.tsx';
import { tableTexts } from './texts.ts';
import type { Pages } from './use-pages.ts';
import type { SelectionState } from './use-selection.ts';
import type { Table } from './use-table.ts';

const { translate } = tableTexts;

interface GridHeaderProps<Row> {
  readonly table: Table<Row>;
  readonly shown: readonly ShownColumn<Row>[];
  readonly selection: SelectionState | null;
  readonly pages: Pages<Row>;
  readonly hasActions: boolean;
  /** Called while a column is dragged to another width; null when that ends. */
  readonly onDraft: (draft: ColumnWidth | null) => void;
}

/** Titles of the columns. A click on one sorts, its edge changes the width. */
export function GridHeader<Row>({
  table,
  shown,
  selection,
  pages,
  hasActions,
  onDraft,
}: GridHeaderProps<Row>) {
  const setWidth = (id: string, width: number | null) => {
    const columns = shown.map((column) => (column.id === id ? { ...column, chosenWidth: width } : column));
    table.change({ columns: printColumns(columns, table.columns) });
    onDraft(null);
  };
  return (
    <div className={classes.header} role="rowgroup">
      <div className={classes.row} role="row" aria-rowindex={1}>
        {selection === null ? null : <SelectAll selection={selection} total={pages.total ?? 0} />}
        {shown.map((column, index) => (
          <div
            key={column.id}
            className={classes.title}
            role="columnheader"
            tabIndex={-1}
            aria-colindex={index + (selection === null ? 1 : 2)}
            aria-sort={orderOf(column, table)}
            data-number={column.isNumber || undefined}
          >
            <Title column={column} table={table} />
            <Edge
              onDrag={(width) => onDraft({ id: column.id, width })}
              onDrop={(width) => setWidth(column.id, width)}
              onReset={() => setWidth(column.id, null)}
            />
          </div>
        ))}
        {hasActions ? (
          <div className={classes.title} role="columnheader" tabIndex={-1}>
            <span className="visually-hidden">{translate('actions')}</span>
          </div>
        ) : null}
      </div>
    </div>
  );
}

type TitleProps<Row> = { readonly column: ShownColumn<Row>; readonly table: Table<Row> };

function orderOf<Row>(
  { sort }: ShownColumn<Row>,
  table: Table<Row>,
): 'ascending' | 'descending' | 'none' | undefined {
  if (sort === undefined || !table.sorts.includes(sort)) return undefined;
  if (fieldOf(table.sort) !== sort) return 'none';
  return table.sort.startsWith('-') ? 'descending' : 'ascending';
}

function Title<Row>({ column, table }: TitleProps<Row>) {
  const order = orderOf(column, table);
  const { sort = '', title } = column;
  if (order === undefined) return <span className={classes.words}>{title}</span>;
  const next = order === 'ascending' ? `-${sort}` : sort;
  return (
    <PlainButton className={classes.sort} onPress={() => table.change({ sort: next })}>
      <span className={classes.words}>{title}</span>
      <Icon
        name={order === 'descending' ? 'arrow-down' : 'arrow-up'}
        size={12}
        className={order === 'none' ? classes.unsorted : classes.sorted}
      />
    </PlainButton>
  );
}

function SelectAll({ selection, total }: { readonly selection: SelectionState; readonly total: number }) {
  const isAll = selection.isAll || (total > 0 && selection.count === total);
  return (
    <div className={classes.select} role="columnheader" tabIndex={-1} aria-colindex={1}>
      <input
        type="checkbox"
        className={classes.checkbox}
        aria-label={translate('select.all')}
        checked={isAll}
        ref={(element) => {
          if (element !== null) element.indeterminate = selection.count > 0 && !isAll;
        }}
        onChange={isAll ? selection.clear : selection.selectAll}
      />
    </div>
  );
}

interface EdgeProps {
  readonly onDrag: (width: number) => void;
  readonly onDrop: (width: number) => void;
  readonly onReset: () => void;
}

/** The edge of a column. Dragging it changes the width; the menu of the view does the same without a pointer. */
function Edge({ onDrag, onDrop, onReset }: EdgeProps) {
  const start = (event: PointerEvent<HTMLElement>) => {
    const edge = event.currentTarget;
    const cell = edge.parentElement;
    if (cell === null || event.button !== 0) return;
    event.preventDefault();
    edge.setPointerCapture(event.pointerId);
    const origin = { x: event.clientX, width: cell.offsetWidth };
    const sign = getComputedStyle(cell).direction === 'rtl' ? -1 : 1;
    let width: number | null = null;
    const drag = ({ clientX }: globalThis.PointerEvent) => {
      width = clampWidth(origin.width + sign * (clientX - origin.x));
      onDrag(width);
    };
    const drop = () => {
      edge.removeEventListener('pointermove', drag);
      edge.removeEventListener('lostpointercapture', drop);
      if (width !== null) onDrop(width);
    };
    edge.addEventListener('pointermove', drag);
    edge.addEventListener('lostpointercapture', drop);
  };
  return (
    <span
      className={classes.edge}
      aria-hidden="true"
      title={translate('width.drag', { min: WIDTHS.min })}
      onPointerDown={start}
      onDoubleClick={onReset}
    />
  );
}
