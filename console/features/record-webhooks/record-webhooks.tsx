import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { OwnersOnly } from '../../shell/owners-only.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { QueryTable } from '../../table/query-table.tsx';
import type { Column } from '../../ui/column.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { recordWebhooksRoute } from './index.ts';
import { describeEvents, NEW_RECORD_WEBHOOK } from './record-webhook-draft.ts';
import { deliveriesOf, RecordWebhookMenu } from './record-webhook-menu.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
const PATH = 'connections/record-changes';
// After the rows: the drawer needs the components of forms.
const AddRecordWebhookDrawer = lazyWhenIdle(
  async () => (await import('./add-record-webhook.tsx')).AddRecordWebhookDrawer,
);

/** The webhooks that receive changes of records: only owners see them. */
export function RecordWebhooks() {
  return (
    <OwnersOnly>
      <RecordWebhookList />
    </OwnersOnly>
  );
}

function RecordWebhookList() {
  const { new: isNew = false } = recordWebhooksRoute.useSearch();
  const navigate = useNavigate({ from: recordWebhooksRoute.fullPath });
  const pathOf = useTenantPath();
  const query = useTenantQuery(['record-webhooks'], (api, options) => api.entityWebhooks.list(options));
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
            <DraftBadge {...NEW_RECORD_WEBHOOK} />
            {addButton}
          </>
        }
      />
      <QueryTable
        label={translate('title')}
        query={query}
        rowsOf={({ data }) => data}
        columns={columns()}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => pathOf(...deliveriesOf(id))}
        actionsOf={(webhook) => <RecordWebhookMenu webhook={webhook} />}
        empty={<EmptyState title={translate('empty')} action={addButton} />}
      />
      <AddRecordWebhookDrawer isOpen={isNew} onClose={() => void navigate({ search: {} })} />
    </Page>
  );
}

function columns(): Column<schemas.EntityWebhook>[] {
  return [
    { id: 'target', title: translate('column.target'), cell: ({ url }) => url },
    {
      id: 'changes',
      title: translate('changes'),
      cell: ({ events }) => describeEvents(events) || translate('changes.none'),
    },
  ];
}
