import type { ReactNode } from 'react';
import { Link } from 'react-aria-components/Link';
import type { Column } from './column.ts';
import classes from './simple-table.module.css';
import { uiTexts } from './texts.ts';

interface SimpleTableProps<Row> {
  /** Name of the table for screen readers. */
  readonly label: string;
  /** The first column names the row. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Path of the screen of a row. */
  readonly hrefOf?: (row: Row) => string;
  /** Buttons at the end of a row. */
  readonly actionsOf?: (row: Row) => ReactNode;
}

/** A table for up to 100 rows. On phones each row becomes a card. */
export function SimpleTable<Row>(props: SimpleTableProps<Row>) {
  const { label, columns, rows, keyOf, actionsOf } = props;
  return (
    <div className={classes.frame}>
      <table className={classes.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ id, title, isNumber }) => (
              <th key={id} scope="col" data-number={isNumber || undefined}>
                {title}
              </th>
            ))}
            {actionsOf === undefined ? null : (
              <th scope="col">
                <span className="visually-hidden">{uiTexts.translate('actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)} row={row} {...props} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TableRow<Row>({ row, columns, hrefOf, actionsOf }: SimpleTableProps<Row> & { readonly row: Row }) {
  const [first, ...others] = columns;
  const href = hrefOf?.(row);
  return (
    <tr
      className={classes.row}
      data-link={href === undefined ? undefined : true}
      data-actions={actionsOf === undefined ? undefined : true}
    >
      {first === undefined ? null : (
        <th scope="row">
          {href === undefined ? (
            <span className={classes.name}>{first.cell(row)}</span>
          ) : (
            <Link className={`${classes.name} ${classes.link}`} href={href}>
              {first.cell(row)}
            </Link>
          )}
        </th>
      )}
      {others.map(({ id, title, cell, isNumber }) => (
        <td key={id} data-title={title} data-number={isNumber || undefined}>
          {cell(row)}
        </td>
      ))}
      {actionsOf === undefined ? null : (
        <td className={classes.actions}>
          <div>{actionsOf(row)}</div>
        </td>
      )}
    </tr>
  );
}
