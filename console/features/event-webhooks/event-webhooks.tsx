import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { useEditedEntry } from '../../email-settings/use-edited-entry.ts';
import { useEmailSettings } from '../../email-settings/use-email-settings.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { QueryTable } from '../../table/query-table.tsx';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/column.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { hostOf } from '../../ui/host-of.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { describeEvents, EVENT_WEBHOOKS, NEW_EVENT_WEBHOOK } from './event-webhook-draft.ts';
import { EventWebhookMenu } from './event-webhook-menu.tsx';
import classes from './event-webhooks.module.css';
import { eventWebhooksRoute } from './index.ts';
import { texts } from './texts.ts';

const { translate } = texts;
const PATH = 'connections/email-events';
// After the rows: the drawers need the components of forms.
const loadDrawers = () => import('./event-webhook-drawers.tsx');
const AddEventWebhookDrawer = lazyWhenIdle(async () => (await loadDrawers()).AddEventWebhookDrawer);
const EditEventWebhookDrawer = lazyWhenIdle(async () => (await loadDrawers()).EditEventWebhookDrawer);

/** The webhooks that receive events of the tenant's mail. */
export function EventWebhooks() {
  const pathOf = useTenantPath();
  const query = useEmailSettings();
  const { data: settings } = query;
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
            <DraftBadge {...NEW_EVENT_WEBHOOK} />
            {addButton}
          </>
        }
      />
      <QueryTable
        label={translate('title')}
        query={query}
        rowsOf={({ event_webhooks }) => event_webhooks}
        columns={columns()}
        keyOf={({ name }) => name}
        hrefOf={({ name }) => pathOf(PATH, { edit: name })}
        actionsOf={({ name, target }) => <EventWebhookMenu name={name} host={hostOf(target)} />}
        empty={<EmptyState title={translate('empty')} action={addButton} />}
      />
      {settings === undefined ? null : <Drawers settings={settings} />}
    </Page>
  );
}

/** The drawers; the URL says which one is open. */
function Drawers({ settings }: { readonly settings: schemas.EmailSettings }) {
  const { new: isNew = false, edit } = eventWebhooksRoute.useSearch();
  const navigate = useNavigate({ from: eventWebhooksRoute.fullPath });
  const close = () => void navigate({ search: {} });
  const edited = useEditedEntry(EVENT_WEBHOOKS, settings, edit);
  return (
    <>
      <AddEventWebhookDrawer settings={settings} isOpen={isNew} onClose={close} />
      <EditEventWebhookDrawer
        settings={settings}
        webhook={edited}
        isOpen={edited !== undefined}
        onClose={close}
      />
    </>
  );
}

function columns(): Column<schemas.EventWebhook>[] {
  return [
    { id: 'name', title: translate('name'), cell: ({ name }) => name },
    { id: 'target', title: translate('column.target'), cell: ({ target }) => hostOf(target) },
    {
      id: 'events',
      title: translate('events'),
      cell: ({ events }) => describeEvents(events) || translate('events.none'),
    },
    {
      id: 'status',
      title: translate('column.status'),
      cell: ({ active }) => (
        <Badge tone={active ? 'success' : 'neutral'}>
          {translate(active ? 'status.active' : 'status.paused')}
        </Badge>
      ),
    },
    { id: 'last', title: translate('column.last'), cell: (webhook) => <LastAttempt webhook={webhook} /> },
  ];
}

/** Result and time of the most recent attempt. */
function LastAttempt({ webhook }: { readonly webhook: schemas.EventWebhook }) {
  const { last_successful: success, last_failure: failure } = webhook;
  const at = [success, failure]
    .filter((each) => each !== null)
    .sort()
    .at(-1);
  if (at === undefined) return translate('last.never');
  const isSuccess = at === success;
  return (
    <span className={classes.attempt}>
      <Badge tone={isSuccess ? 'success' : 'danger'}>
        {translate(isSuccess ? 'last.success' : 'last.failed')}
      </Badge>
      <RelativeTime value={at} />
    </span>
  );
}
