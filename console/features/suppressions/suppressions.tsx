import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import type { FieldTitles } from '../../filters/field-titles.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import type { TableColumn } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { useTable } from '../../table/use-table.ts';
import { useTableSearch } from '../../table/use-table-search.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { ImportProgress } from './import-progress.tsx';
import { suppressionsRoute } from './index.ts';
import { NEW_SUPPRESSION } from './suppression-draft.ts';
import { CAUSES, recipientTitle, typeTitle } from './suppression-types.ts';
import { texts } from './texts.ts';
import { useImport } from './use-import.ts';
import { useLifting } from './use-lifting.tsx';
import { FACTS, type SuppressionFilters, useSuppressions } from './use-suppressions.ts';

const { translate } = texts;
const PATH = 'subscribers/suppressions';
// After the rows: the drawers and dialogs need the components of forms.
const AddSuppressionDrawer = lazyWhenIdle(
  async () => (await import('./add-suppression.tsx')).AddSuppressionDrawer,
);
const ImportDrawer = lazyWhenIdle(async () => (await import('./import-drawer.tsx')).ImportDrawer);

/** The addresses of the tenant that get no mail. */
export function Suppressions() {
  const { new: isNew = false, import: isImporting = false, ...closed } = suppressionsRoute.useSearch();
  const navigate = useNavigate({ from: suppressionsRoute.fullPath });
  const pathOf = useTenantPath();
  const table = useTable({ facts: FACTS, columns: columns(), ...useTableSearch() });
  const { search } = table;
  const filters = table.apiFilters<SuppressionFilters>();
  const pages = useSuppressions(table, filters);
  const lifting = useLifting();
  const upload = useImport();
  const close = () => void navigate({ search: closed });
  const addButton = (
    <LinkButton href={pathOf(PATH, { new: true })} variant="primary" icon="plus">
      {translate('add')}
    </LinkButton>
  );
  return (
    <Page>
      <PageHeader
        title={translate('title')}
        description={translate('intro')}
        actions={
          <>
            <DraftBadge {...NEW_SUPPRESSION} />
            <LinkButton href={pathOf(PATH, { import: true })}>{translate('import')}</LinkButton>
            {addButton}
          </>
        }
      />
      {upload.state === null ? null : <ImportProgress state={upload.state} onDismiss={upload.dismiss} />}
      {lifting.progress}
      <DataTable
        label={translate('title')}
        screen={PATH}
        table={table}
        pages={pages}
        countText={(count) => translate('count', { count })}
        searchLabel={translate('search')}
        fieldTitles={fieldTitles()}
        keyOf={({ recipient }) => recipient}
        actionsOf={(suppression) => (
          <Button
            size="small"
            variant="quiet"
            disabledReason={lifting.disabledReason}
            onPress={() => lifting.ask(suppression)}
          >
            {translate('lift')}
          </Button>
        )}
        selectionActions={({ keys, isAll, clear }) => (
          <Button
            size="small"
            variant="quiet-danger"
            disabledReason={lifting.disabledReason}
            onPress={() => {
              const all = { filters: { ...filters }, ...(search === '' ? {} : { search }) };
              lifting.askAll({ selection: isAll ? all : { ids: [...keys] }, clear });
            }}
          >
            {translate('bulk.lift')}
          </Button>
        )}
        empty={<EmptyState title={translate('empty')} action={addButton} />}
      />
      {lifting.questions}
      <AddSuppressionDrawer isOpen={isNew} onClose={close} />
      <ImportDrawer
        isOpen={isImporting}
        disabledReason={upload.disabledReason}
        onImport={(file) => {
          upload.start(file);
          close();
        }}
        onClose={close}
      />
    </Page>
  );
}

function fieldTitles(): FieldTitles {
  return {
    type: {
      title: translate('type'),
      values: Object.fromEntries(CAUSES.map((type) => [type, typeTitle(type)])),
    },
  };
}

function columns(): TableColumn<schemas.Suppression>[] {
  return [
    { id: 'recipient', title: translate('address'), sort: 'recipient', width: 280, cell: recipientTitle },
    {
      id: 'type',
      title: translate('type'),
      width: 150,
      cell: ({ type }) => (
        <Badge tone={type === 'unsubscribe' ? 'neutral' : 'warning'}>{typeTitle(type)}</Badge>
      ),
    },
    {
      id: 'description',
      title: translate('description'),
      width: 320,
      cell: ({ description }) => description || null,
    },
    {
      id: 'created',
      title: translate('created'),
      sort: 'created_at',
      width: 130,
      cell: ({ created_at }) => <RelativeTime value={created_at} />,
    },
  ];
}
