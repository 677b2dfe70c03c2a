import { longOperationsList } from '../../../sdk/src/generated/lists.ts';
import type { schemas } from '../../../sdk/src/index.ts';
import type { FieldTitles } from '../../filters/field-titles.ts';
import {
  isRunning,
  kindName,
  OPERATION_KINDS,
  type Operation,
  operationName,
  progressText,
} from '../../operations/operation-name.ts';
import { OperationStatus } from '../../operations/operation-status.tsx';
import { operationTexts } from '../../operations/texts.ts';
import { useMembership } from '../../session/session-context.tsx';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import type { TableColumn } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { useTable } from '../../table/use-table.ts';
import { useTableSearch } from '../../table/use-table-search.ts';
import { useTenantPages } from '../../table/use-tenant-pages.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { starterName } from './starter-name.ts';
import { texts } from './texts.ts';
import { useCancel } from './use-cancel.ts';

const { translate } = texts;

type Filters = NonNullable<schemas.OperationListQuery['filters']>;

/** The operations that the user has started; for owners, all of the tenant. */
export function Operations() {
  const pathOf = useTenantPath();
  const table = useTable({ facts: longOperationsList, columns: columns(), ...useTableSearch() });
  const pages = useTenantPages(
    ['operations', 'list', ...table.key],
    (api, { after, limit, hasTotal }, options) =>
      api.longOperations.list(
        {
          limit,
          sort: table.sort,
          filters: table.apiFilters<Filters>(),
          ...(after === undefined ? { page: 1 } : { after }),
          ...(hasTotal ? {} : { count: false }),
        },
        options,
      ),
    { isRunning },
  );
  return (
    <Page>
      <PageHeader title={translate('title')} description={translate('intro')} />
      <DataTable
        label={translate('title')}
        screen="operations"
        table={table}
        pages={pages}
        countText={(count) => translate('count', { count })}
        fieldTitles={useFieldTitles()}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathOf(`operations/${id}`)}
        actionsOf={(operation) => (operation.can_cancel ? <CancelButton operation={operation} /> : null)}
        empty={<EmptyState title={translate('empty')} />}
      />
    </Page>
  );
}

/** Names of the fields in filters; owners also filter by member. */
function useFieldTitles(): FieldTitles {
  const { is_tenant_admin: isOwner } = useMembership();
  const { data } = useTenantQuery(['member-names'], (api, options) => api.members.names(options), {
    isNeeded: isOwner,
  });
  const names = (data?.results ?? []).map(({ membership_id: id, name }) => [id, name] as const);
  const status = (each: Operation['status']) => [each, operationTexts.translate(`status.${each}`)] as const;
  return {
    kind: {
      title: translate('field.kind'),
      values: Object.fromEntries(OPERATION_KINDS.map((kind) => [kind, kindName(kind)])),
    },
    status: {
      title: translate('field.status'),
      values: Object.fromEntries(
        (['queued', 'running', 'completed', 'failed', 'cancelled'] as const).map(status),
      ),
    },
    started_by: { title: translate('field.starter'), values: Object.fromEntries(names) },
    created_at: { title: translate('field.created') },
  };
}

function CancelButton({ operation }: { readonly operation: Operation }) {
  const { run, isPending } = useCancel(operation);
  return (
    <Button size="small" variant="quiet" onPress={run} isPending={isPending}>
      {translate('cancel.row')}
    </Button>
  );
}

function columns(): TableColumn<Operation>[] {
  return [
    { id: 'name', title: translate('field.name'), width: 320, cell: operationName },
    {
      id: 'status',
      title: translate('field.status'),
      width: 130,
      cell: ({ status }) => <OperationStatus status={status} />,
    },
    { id: 'progress', title: translate('column.progress'), width: 170, cell: progressText },
    { id: 'starter', title: translate('field.starter'), width: 170, cell: starterName },
    {
      id: 'created',
      title: translate('field.created'),
      sort: 'created_at',
      width: 130,
      cell: ({ created_at }) => <RelativeTime value={created_at} />,
    },
    {
      id: 'finished',
      title: translate('field.finished'),
      width: 130,
      cell: ({ finished_at: end }) => (end === null ? null : <RelativeTime value={end} />),
    },
  ];
}
