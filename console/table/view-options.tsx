import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { NumberField } from '../ui/number-field.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { Select } from '../ui/select.tsx';
import { type ColumnChoice, type ColumnFacts, fieldOf, printColumns, WIDTHS } from './column.ts';
import { tableTexts } from './texts.ts';
import type { TableSearchChange } from './use-table-search.ts';
import classes from './view-options.module.css';

const { translate } = tableTexts;

type ShownFacts = ColumnFacts & ColumnChoice;

/** The view of a table, and how it changes. */
interface View {
  readonly columns: readonly ColumnFacts[];
  readonly shown: readonly ShownFacts[];
  readonly sorts: readonly string[];
  readonly sort: string;
  readonly isCompact: boolean;
  readonly change: (change: TableSearchChange) => void;
}

/** Properties of the menu of the view. */
export interface ViewOptionsProps {
  readonly table: View;
  /** Cards have no header to sort by, and neither widths nor density. */
  readonly isCards: boolean;
}

/** Columns with their order and width, density, and on phones the order of the rows. */
export function ViewOptions({ table, isCards }: ViewOptionsProps) {
  return (
    <div className={classes.view}>
      {isCards ? <SortField table={table} /> : <Density table={table} />}
      <Columns table={table} isCards={isCards} />
      <Button
        size="small"
        variant="quiet"
        onPress={() => table.change({ columns: undefined, density: undefined, sort: undefined })}
      >
        {translate('view.reset')}
      </Button>
    </div>
  );
}

function Density({ table }: Pick<ViewOptionsProps, 'table'>) {
  return (
    <div className={classes.line}>
      <span className={classes.label}>{translate('density')}</span>
      <SegmentedControl
        label={translate('density')}
        value={table.isCompact ? 'compact' : 'usual'}
        options={[
          { id: 'usual', title: translate('density.usual') },
          { id: 'compact', title: translate('density.compact') },
        ]}
        onChange={(density) => table.change({ density: density === 'compact' ? density : undefined })}
      />
    </div>
  );
}

function SortField({ table }: Pick<ViewOptionsProps, 'table'>) {
  const titleOf = (field: string) => table.columns.find(({ sort }) => sort === field)?.title ?? null;
  const options = table.sorts.flatMap((field) => {
    const title = titleOf(field) ?? (field === fieldOf(table.sort) ? field : null);
    if (title === null) return [];
    return [
      { id: field, title: translate('sort.ascending', { title }) },
      { id: `-${field}`, title: translate('sort.descending', { title }) },
    ];
  });
  return (
    <Select
      label={translate('sort')}
      options={options}
      value={table.sort}
      onChange={(sort) => table.change({ sort })}
    />
  );
}

function Columns({ table, isCards }: ViewOptionsProps) {
  const { columns, shown } = table;
  const set = (next: readonly ShownFacts[]) => table.change({ columns: printColumns(next, columns) });
  const hidden = columns.filter(({ id }) => !shown.some((each) => each.id === id));
  const move = (index: number, steps: number) => {
    const next = [...shown];
    next.splice(index + steps, 0, ...next.splice(index, 1));
    set(next);
  };
  return (
    <fieldset className={classes.columns}>
      <legend className={classes.label}>{translate('columns')}</legend>
      <ul>
        {shown.map((column, index) => (
          <li key={column.id} className={classes.column}>
            <Checkbox
              label={column.title}
              isSelected
              disabledReason={column.id === columns[0]?.id ? translate('column.first') : undefined}
              onChange={() => set(shown.filter(({ id }) => id !== column.id))}
            />
            {isCards ? null : (
              <Width
                column={column}
                onChange={(chosenWidth) =>
                  set(shown.map((each) => (each.id === column.id ? { ...each, chosenWidth } : each)))
                }
              />
            )}
            <IconButton
              icon="arrow-up"
              size="small"
              label={translate('column.up', { title: column.title })}
              isDisabled={index === 0}
              onPress={() => move(index, -1)}
            />
            <IconButton
              icon="arrow-down"
              size="small"
              label={translate('column.down', { title: column.title })}
              isDisabled={index === shown.length - 1}
              onPress={() => move(index, 1)}
            />
          </li>
        ))}
        {hidden.map((column) => (
          <li key={column.id} className={classes.column}>
            <Checkbox
              label={column.title}
              isSelected={false}
              onChange={() => set([...shown, { ...column, chosenWidth: null }])}
            />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

interface WidthProps {
  readonly column: ShownFacts;
  readonly onChange: (width: number | null) => void;
}

/** The width of a column; an empty field lets it share the width of the table. */
function Width({ column, onChange }: WidthProps) {
  const { title, chosenWidth } = column;
  return (
    <div className={classes.width}>
      <NumberField
        label={translate('column.width', { title })}
        isLabelHidden
        minValue={WIDTHS.min}
        maxValue={WIDTHS.max}
        value={chosenWidth ?? Number.NaN}
        onChange={(width) => onChange(Number.isNaN(width) ? null : width)}
        unit="px"
      />
    </div>
  );
}
