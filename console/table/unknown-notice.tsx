import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { printColumns } from './column.ts';
import { tableTexts } from './texts.ts';
import type { Table } from './use-table.ts';

const { translate } = tableTexts;

/** Says which columns or which order of the URL the list does not have: they may have been removed since. */
export function UnknownNotice<Row>({ table }: { readonly table: Table<Row> }) {
  const { columns, sort } = table.unknown;
  if (columns.length === 0 && sort === null) return null;
  const remove = () =>
    table.change({
      columns: printColumns(table.shown, table.columns),
      ...(sort === null ? {} : { sort: undefined }),
    });
  return (
    <Banner
      tone="warning"
      title={translate('unknown.title')}
      action={
        <Button size="small" onPress={remove}>
          {translate('unknown.remove')}
        </Button>
      }
    >
      {[
        ...columns.map((name) => translate('unknown.column', { name })),
        ...(sort === null ? [] : [translate('unknown.sort', { name: sort })]),
      ].join(' ')}
    </Banner>
  );
}
