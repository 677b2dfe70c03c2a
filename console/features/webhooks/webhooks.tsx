import { useNavigate } from '@tanstack/react-router';
import { webhooksList } from '../../../sdk/src/generated/lists.ts';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import type { TableColumn } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { useTable } from '../../table/use-table.ts';
import { useTableSearch } from '../../table/use-table-search.ts';
import { useTenantPages } from '../../table/use-tenant-pages.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { hostOf } from '../../ui/host-of.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { webhooksRoute } from './index.ts';
import { DayFigures, LastAttempt, WebhookStatus } from './status.tsx';
import { texts } from './texts.ts';
import { NEW_WEBHOOK } from './webhook-draft.ts';

const { translate } = texts;
// After the rows: the drawer needs the components of forms.
const CreateWebhookDrawer = lazyWhenIdle(
  async () => (await import('./create-webhook.tsx')).CreateWebhookDrawer,
);

/** The webhooks of the tenant and unit of the URL. */
export function Webhooks() {
  const { new: isNew = false, ...closed } = webhooksRoute.useSearch();
  const navigate = useNavigate({ from: webhooksRoute.fullPath });
  const pathOf = useTenantPath();
  const table = useTable({ facts: webhooksList, columns: columns(), ...useTableSearch() });
  const pages = useTenantPages(['webhooks', ...table.key], (api, { after, limit, hasTotal }, options) =>
    api.webhooks.list({ limit, sort: table.sort, after, ...(hasTotal ? {} : { count: 'false' }) }, options),
  );
  const createButton = (
    <LinkButton href={pathOf('connections/webhooks', { new: true })} variant="primary" icon="plus">
      {translate('create')}
    </LinkButton>
  );
  return (
    <Page>
      <PageHeader
        title={translate('title')}
        description={translate('intro')}
        actions={
          <>
            <DraftBadge {...NEW_WEBHOOK} />
            {createButton}
          </>
        }
      />
      <DataTable
        label={translate('title')}
        screen="connections/webhooks"
        table={table}
        pages={pages}
        countText={(count) => translate('count', { count })}
        keyOf={(webhook) => webhook.id}
        hrefOf={(webhook) => pathOf(`connections/webhooks/${webhook.id}`)}
        empty={<EmptyState title={translate('empty')} action={createButton} />}
      />
      <CreateWebhookDrawer isOpen={isNew} onClose={() => void navigate({ search: closed })} />
    </Page>
  );
}

function columns(): TableColumn<schemas.Webhook>[] {
  return [
    { id: 'name', title: translate('column.name'), sort: 'name', width: 200, cell: ({ name }) => name },
    {
      id: 'form',
      title: translate('column.form'),
      width: 160,
      cell: ({ event, form_name }) => form_name ?? <code>{event.form_code}</code>,
    },
    {
      id: 'target',
      title: translate('column.target'),
      width: 220,
      cell: ({ target }) => hostOf(target.url),
    },
    {
      id: 'status',
      title: translate('column.status'),
      width: 120,
      cell: (webhook) => <WebhookStatus webhook={webhook} />,
    },
    {
      id: 'last',
      title: translate('column.last'),
      width: 240,
      cell: (webhook) => <LastAttempt webhook={webhook} />,
    },
    {
      id: 'day',
      title: translate('column.day'),
      width: 180,
      cell: (webhook) => <DayFigures webhook={webhook} />,
    },
    {
      id: 'created',
      title: translate('column.created'),
      sort: 'created_at',
      width: 120,
      isOptional: true,
      cell: ({ created_at }) => <RelativeTime value={created_at} />,
    },
  ];
}
