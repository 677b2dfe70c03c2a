import type { ReactNode } from 'react';
import { FaultNotice } from '../filters/fault-notice.tsx';
import type { FieldTitles } from '../filters/field-titles.ts';
import { FilterBar } from '../filters/filter-bar.tsx';
import { NoMatch } from '../filters/no-match.tsx';
import { SearchBox } from '../filters/search-box.tsx';
import { LoadFailure } from '../shell/load-failure.tsx';
import { shellTexts } from '../shell/texts.ts';
import { Button } from '../ui/button.tsx';
import classes from './data-table.module.css';
import { Grid, type GridContent, type GridProps } from './grid.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { tableTexts } from './texts.ts';
import { UnitNotice } from './unit-notice.tsx';
import { UnknownNotice } from './unknown-notice.tsx';
import { useMedia } from './use-media.ts';
import { type Selection, useSelection } from './use-selection.ts';
import { ViewMenu } from './view-menu.tsx';
import { ViewsMenu } from './views/views-menu.tsx';

const { translate } = tableTexts;

interface DataTableProps<Row> extends GridContent<Row> {
  /** Says how many rows there are, such as "48,213 subscribers". */
  readonly countText: (count: number) => string;
  /** Label of the search; without it the list has none. */
  readonly searchLabel?: string;
  /** Name of the list for saved views: its path in the console without ids. Without it views cannot be saved. */
  readonly screen?: string;
  /** Names of the fields in filters; those without one are shown as in the API. */
  readonly fieldTitles?: FieldTitles;
  /** True for a list of one record: units do not limit it. */
  readonly isOfRecord?: boolean;
  /** Actions for selected rows. Without it rows cannot be selected. */
  readonly selectionActions?: (selection: Selection) => ReactNode;
  /** Shown instead of a list without rows. */
  readonly empty: ReactNode;
}

/** A list of any length: search, filters, columns and order are in the URL, and only visible rows are loaded. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { countText, searchLabel, screen, fieldTitles = {}, isOfRecord = false, ...rest } = props;
  const { selectionActions, empty, ...content } = rest;
  const { table, pages, keyOf } = content;
  const isCards = useMedia('(width < 768px)');
  const selection = useSelection(pages, keyOf, table.key.slice(0, 2).join(' '));
  const { total, isOld } = pages;
  const isEmpty = total === 0 && !isOld;
  const isLimited = table.search !== '' || table.conditions.length > 0;
  return (
    <div className={classes.table}>
      <div className={classes.toolbar}>
        {searchLabel === undefined ? null : (
          <div className={classes.search}>
            <SearchBox
              label={searchLabel}
              value={table.search}
              onSearch={(text) => table.change({ search: text === '' ? undefined : text })}
            />
          </div>
        )}
        <FilterBar table={table} titles={fieldTitles} />
        <span className={classes.count} role="status">
          {total === null || isOld ? '' : countText(total)}
        </span>
        {screen === undefined ? null : <ViewsMenu screen={screen} />}
        <ViewMenu table={table} isCards={isCards} />
      </div>
      {isOfRecord ? null : <UnitNotice />}
      <UnknownNotice table={table} />
      <FaultNotice table={table} titles={fieldTitles} />
      {isEmpty ? (
        isLimited ? (
          <NoMatch table={table} titles={fieldTitles} />
        ) : (
          empty
        )
      ) : (
        <Rows {...content} selection={selectionActions === undefined ? null : selection} isCards={isCards} />
      )}
      {selectionActions === undefined || selection.count === 0 ? null : (
        <SelectionBar selection={selection} total={total ?? 0}>
          {selectionActions(selection)}
        </SelectionBar>
      )}
    </div>
  );
}

/** The rows, and what is wrong if they cannot be read. */
function Rows<Row>(grid: GridProps<Row>) {
  const { error, count, total, retry, isRetrying, isLoading } = grid.pages;
  if (error !== null && count === 0 && total === null)
    return <LoadFailure error={error} onRetry={retry} isRetrying={isRetrying} />;
  return (
    <>
      {isLoading ? (
        <span className="visually-hidden" role="status">
          {translate('loading')}
        </span>
      ) : null}
      <Grid {...grid} />
      {error === null ? null : (
        <p className={classes.more} role="alert">
          {translate('more.failed')}
          <Button size="small" onPress={retry} isPending={isRetrying}>
            {shellTexts.translate('error.retry')}
          </Button>
        </p>
      )}
    </>
  );
}
