import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { useVersions } from '../../history/use-versions.ts';
import { useInvalidate, useTenantQuery } from '../../session/use-tenant-query.ts';
import { RecordPage } from '../../shell/record-page.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Section } from '../../ui/section.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { Deliveries } from './deliveries.tsx';
import { webhookRoute } from './index.ts';
import { DayFigures, LastAttempt, WebhookStatus } from './status.tsx';
import { TestButton } from './test-button.tsx';
import { texts } from './texts.ts';
import { useWebhookMenu } from './use-webhook-menu.tsx';
import { WEBHOOK, webhookFields } from './webhook-draft.ts';

const { translate } = texts;
// After the page: the drawers need the components of forms.
const HistoryDrawer = lazyWhenIdle(
  async () => (await import('../../history/history-drawer.tsx')).HistoryDrawer,
);
const EditWebhookDrawer = lazyWhenIdle(async () => (await import('./edit-webhook.tsx')).EditWebhookDrawer);

/** One webhook: where it sends, and what became of each submission. */
export function WebhookScreen() {
  const { webhookId } = webhookRoute.useParams();
  const { history } = webhookRoute.useSearch();
  const pathOf = useTenantPath();
  const query = useTenantQuery(['webhooks', webhookId], (api, options) =>
    api.webhooks.get(webhookId, { figures: true }, options),
  );
  useVersions({ entityType: WEBHOOK, entitySortKey: webhookId }, history !== undefined);
  return (
    <RecordPage
      query={query}
      title={translate('webhook')}
      missing={{
        title: translate('missing.title'),
        text: translate('missing.text'),
        back: translate('missing.back'),
        href: pathOf('connections/webhooks'),
      }}
      below={
        <Section
          title={translate('deliveries')}
          description={translate('deliveries.text')}
          actions={
            <LinkButton
              href={pathOf('connections/deliveries', { filter: `webhook_id is ${webhookId}` })}
              size="small"
            >
              {translate('deliveries.all')}
            </LinkButton>
          }
        >
          <Deliveries key={webhookId} webhookId={webhookId} />
        </Section>
      }
    >
      {(webhook) => <Content key={webhook.id} webhook={webhook} />}
    </RecordPage>
  );
}

function Content({ webhook }: { readonly webhook: schemas.Webhook }) {
  const { id, name, event, form_name, target, created_at } = webhook;
  const { edit = false, history, ...closed } = webhookRoute.useSearch();
  const navigate = useNavigate({ from: webhookRoute.fullPath });
  const pathOf = useTenantPath();
  const invalidate = useInvalidate();
  const { menu, questions } = useWebhookMenu(webhook);
  const close = () => void navigate({ search: closed, replace: true });
  const headers = target.headers.map((header) => header.name).join(', ');
  return (
    <>
      <PageHeader
        title={name}
        status={
          <>
            <WebhookStatus webhook={webhook} />
            <DraftBadge type={WEBHOOK} itemKey={id} />
          </>
        }
        menu={menu}
        actions={
          <>
            <TestButton webhook={webhook} />
            <LinkButton
              href={pathOf(`connections/webhooks/${id}`, { edit: true })}
              variant="primary"
              icon="pencil"
            >
              {translate('edit')}
            </LinkButton>
          </>
        }
      />
      <DescriptionList
        items={[
          { term: translate('column.form'), value: form_name ?? <code>{event.form_code}</code> },
          { term: translate('column.target'), value: <code>{target.url}</code> },
          { term: translate('headers'), value: headers === '' ? null : headers },
          { term: translate('column.last'), value: <LastAttempt webhook={webhook} /> },
          { term: translate('column.day'), value: <DayFigures webhook={webhook} /> },
          { term: translate('column.created'), value: <RelativeTime value={created_at} /> },
        ]}
      />
      {questions}
      <EditWebhookDrawer webhook={webhook} isOpen={edit} onClose={close} />
      <HistoryDrawer
        record={{
          key: { entityType: WEBHOOK, entitySortKey: id },
          name,
          fieldsOf: webhookFields,
          hrefOf: (shown) => pathOf(`connections/webhooks/${id}`, { ...closed, history: shown }),
          reload: () => invalidate('webhooks'),
        }}
        isOpen={history !== undefined}
        shown={history}
        onClose={close}
      />
    </>
  );
}
