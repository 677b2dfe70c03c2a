import { useCallback, useMemo, useState } from 'react';
import { TesseraError } from '../../../sdk/src/index.ts';
import type { ListFilters } from '../../../sdk/src/list-facts.ts';
import type { Condition } from '../../filters/condition.ts';
import type { FieldTitles } from '../../filters/field-titles.ts';
import type { TableColumn } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import type { TableSearch } from '../../table/table-search.ts';
import { type ListPage, type PageRequest, type Pages, usePages } from '../../table/use-pages.ts';
import { useTable } from '../../table/use-table.ts';
import type { TableSearchChange } from '../../table/use-table-search.ts';
import { formatNumber } from '../../texts/formats.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Num } from '../../ui/num.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './data-parts.module.css';
import { LONG_TEXT, LONG_WORD } from './samples.ts';
import { Specimen } from './specimen.tsx';

/** The table and its filter bar, over a list in the page. */
export function TableParts() {
  return (
    <>
      <Example name="DataTable, FilterBar: 10,000 rows" rows={ROWS} />
      <Example
        name="DataTable: long text, right to left, markup"
        rows={HOSTILE_ROWS}
        start={{ density: 'compact' }}
      />
      <Example
        name="DataTable: unknown parts of a URL"
        rows={ROWS.slice(0, 3)}
        start={{ columns: 'name:320,gone,status', sort: 'gone', filter: 'gone is 1 and answers > 5' }}
      />
      <Example
        name="DataTable: no match"
        rows={ROWS}
        start={{ search: 'nothing', filter: 'status is failed' }}
      />
      <Example name="DataTable: empty" rows={[]} />
      <Example name="DataTable: loading" rows={[]} read={never} />
      <Example name="DataTable: failed" rows={[]} read={refuse} />
    </>
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly status: Status;
  readonly answers: number;
  readonly created: string;
}

type Status = 'published' | 'draft' | 'failed';

const TONES: Readonly<Record<Status, Tone>> = { published: 'success', draft: 'neutral', failed: 'danger' };
const STATUSES = ['published', 'draft', 'published'] as const;
const NAMES = ['Newsletter sign-up', 'Customer survey', 'Contact', 'Event registration', 'Webinar feedback'];
const SECOND_MS = 1000;
const START = Date.UTC(2026, 10, 1);

const ROWS: readonly Row[] = Array.from({ length: 10_000 }, (_, index) => ({
  id: `row-${index}`,
  name: `${NAMES[index % NAMES.length]} ${index + 1}`,
  status: STATUSES[index % STATUSES.length] ?? 'draft',
  answers: (index * 7919) % 50_000,
  created: new Date(START - index * 4_321 * SECOND_MS).toISOString(),
}));

const HOSTILE_ROWS: readonly Row[] = [
  LONG_TEXT,
  LONG_WORD,
  '<script>alert(1)</script>',
  'نشرة إخبارية للعملاء في ألمانيا والنمسا وسويسرا',
  '"quoted" \\ and, commas',
].map((name, index) => ({ ...row(index), id: `hostile-${index}`, name }));

function row(index: number): Row {
  return {
    id: `row-${index}`,
    name: '',
    status: 'draft',
    answers: index,
    created: new Date(START).toISOString(),
  };
}

const FILTERS: ListFilters = {
  fields: {
    name: { type: 'text' },
    status: { type: 'text', values: ['published', 'draft', 'failed'] },
    answers: { type: 'number' },
    created: { type: 'time' },
  },
  operations: ['eq', 'ne', 'like', 'gt', 'gte', 'lt', 'lte', 'between', 'in'],
};
const FACTS = { sorts: ['created', 'name', 'answers'], filters: FILTERS } as const;
const TITLES: FieldTitles = {
  name: { title: 'Name' },
  status: { title: 'Status', values: { published: 'Published', draft: 'Draft', failed: 'Failed' } },
  answers: { title: 'Answers' },
  created: { title: 'Created' },
};

const COLUMNS: readonly TableColumn<Row>[] = [
  { id: 'name', title: 'Name', sort: 'name', width: 260, cell: ({ name }) => name },
  {
    id: 'status',
    title: 'Status',
    width: 120,
    cell: ({ status }) => <Badge tone={TONES[status]}>{TITLES.status?.values?.[status]}</Badge>,
  },
  {
    id: 'answers',
    title: 'Answers',
    sort: 'answers',
    width: 110,
    isNumber: true,
    cell: ({ answers }) => <Num value={answers} />,
  },
  {
    id: 'created',
    title: 'Created',
    sort: 'created',
    width: 140,
    cell: ({ created }) => <RelativeTime value={created} />,
  },
  { id: 'id', title: 'Id', width: 160, isOptional: true, cell: ({ id }) => <code>{id}</code> },
];

interface ExampleProps {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly start?: TableSearch;
  readonly read?: () => Promise<ListPage<Row>>;
}

function Example({ name, rows, start = {}, read }: ExampleProps) {
  const [search, setSearch] = useState(start);
  const change = useCallback(
    (next: TableSearchChange) => setSearch((before) => withoutAbsent({ ...before, ...next })),
    [],
  );
  const table = useTable({ facts: FACTS, columns: COLUMNS, search, change, usualSort: '-created' });
  const found = useMemo(
    () => select(rows, search.search ?? '', table.conditions, table.sort),
    [rows, search.search, table.conditions, table.sort],
  );
  const pages: Pages<Row> = usePages(
    ['parts', name, ...table.key],
    read ?? (async (request) => pageOf(found, request)),
  );
  return (
    <Specimen name={name}>
      <div className={classes.whole}>
        <DataTable
          label={name}
          table={table}
          pages={pages}
          countText={(count) => `${formatNumber(count)} forms`}
          searchLabel="Search forms"
          fieldTitles={TITLES}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/dev/parts?row=${id}`}
          actionsOf={(each) => (
            <>
              <IconButton icon="pencil" size="small" label={`Edit ${each.name}`} />
              <IconButton icon="ellipsis" size="small" label={`More actions for ${each.name}`} />
            </>
          )}
          selectionActions={({ count }) => <Button size="small">{`Archive ${formatNumber(count)}`}</Button>}
          empty={<EmptyState title="Forms collect answers on your pages and send them to your systems." />}
        />
      </div>
    </Specimen>
  );
}

function withoutAbsent(search: TableSearchChange): TableSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}

function pageOf(rows: readonly Row[], { after, limit }: PageRequest): ListPage<Row> {
  const start = Number(after ?? 0);
  const end = start + limit;
  return {
    results: rows.slice(start, end),
    total: rows.length,
    next: end > rows.length ? null : String(end),
  };
}

/** Filters and sorts as the API would. */
function select(rows: readonly Row[], search: string, conditions: readonly Condition[], sort: string): Row[] {
  const words = search.toLowerCase().split(' ');
  const isFound = ({ name }: Row) => words.every((word) => name.toLowerCase().includes(word));
  const found = rows.filter(
    (each) => isFound(each) && conditions.every((condition) => holds(each, condition)),
  );
  const sign = sort.startsWith('-') ? -1 : 1;
  const key = sort.replace('-', '');
  return found.sort((a, b) => sign * compare(fieldValue(a, key), fieldValue(b, key)));
}

function fieldValue({ name, status, answers, created }: Row, field: string): string | number {
  return { name, status, answers, created }[field] ?? '';
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' ? a - Number(b) : a.localeCompare(String(b));
}

function holds(each: Row, { field, operation, values }: Condition): boolean {
  const stored = fieldValue(each, field);
  const [first = '', second = ''] = values;
  const order = compare(stored, first);
  const isIn = values.includes(String(stored));
  const results = {
    eq: isIn,
    ne: !isIn,
    in: isIn,
    nin: !isIn,
    like: String(stored).toLowerCase().includes(first.toLowerCase()),
    nlike: !String(stored).toLowerCase().includes(first.toLowerCase()),
    gt: order > 0,
    gte: order >= 0,
    lt: order < 0,
    lte: order <= 0,
    between: order >= 0 && compare(stored, second) <= 0,
    empty: stored === '',
    nempty: stored !== '',
    nemptyarray: false,
  };
  return results[operation];
}

const never = () => new Promise<ListPage<Row>>(() => undefined);

const refuse = async () => {
  throw new TesseraError({
    status: 500,
    code: 'INTERNAL_ERROR',
    message: 'The server could not read the list.',
    requestId: '01JDZ8Q5W6F4',
  });
};
