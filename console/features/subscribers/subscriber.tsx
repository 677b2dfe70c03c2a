import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { useVersions } from '../../history/use-versions.ts';
import { useInvalidate, useTenantQuery } from '../../session/use-tenant-query.ts';
import { RecordPage } from '../../shell/record-page.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { formatNumber } from '../../texts/formats.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Section } from '../../ui/section.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { fullName } from './full-name.ts';
import { subscriberRoute } from './index.ts';
import { SubscriberStatus } from './status.tsx';
import { SUBSCRIBER, subscriberFields } from './subscriber-draft.ts';
import { texts } from './texts.ts';
import { listNames, useLists } from './use-lists.ts';
import { useSubscriberMenu } from './use-subscriber-menu.tsx';

const { translate } = texts;
// After the page: the drawers need the components of forms.
const HistoryDrawer = lazyWhenIdle(
  async () => (await import('../../history/history-drawer.tsx')).HistoryDrawer,
);
const EditSubscriberDrawer = lazyWhenIdle(
  async () => (await import('./edit-subscriber.tsx')).EditSubscriberDrawer,
);

/** One subscriber: what is known about them. */
export function SubscriberScreen() {
  const { subscriberId } = subscriberRoute.useParams();
  const { history } = subscriberRoute.useSearch();
  const pathOf = useTenantPath();
  const query = useTenantQuery(['subscribers', subscriberId], (api, options) =>
    api.subscribers.get(subscriberId, options),
  );
  useVersions({ entityType: SUBSCRIBER, entitySortKey: subscriberId }, history !== undefined);
  const { data: lists = [] } = useLists();
  return (
    <RecordPage
      query={query}
      title={translate('subscriber')}
      missing={{
        title: translate('missing.title'),
        text: translate('missing.text'),
        back: translate('missing.back'),
        href: pathOf('subscribers'),
      }}
    >
      {(subscriber) => <Content key={subscriber.id} subscriber={subscriber} lists={lists} />}
    </RecordPage>
  );
}

interface ContentProps {
  readonly subscriber: schemas.Subscriber;
  readonly lists: readonly schemas.List[];
}

function Content({ subscriber, lists }: ContentProps) {
  const { id, email } = subscriber;
  const { edit = false, history, ...closed } = subscriberRoute.useSearch();
  const navigate = useNavigate({ from: subscriberRoute.fullPath });
  const pathOf = useTenantPath();
  const invalidate = useInvalidate();
  const { menu, question } = useSubscriberMenu(subscriber);
  const path = `subscribers/${id}`;
  const close = () => void navigate({ search: closed, replace: true });
  return (
    <>
      <PageHeader
        title={fullName(subscriber)}
        description={email}
        status={
          <>
            <SubscriberStatus subscriber={subscriber} />
            <DraftBadge type={SUBSCRIBER} itemKey={id} />
          </>
        }
        menu={menu}
        actions={
          <>
            <LinkButton href={pathOf(`${path}/reach`)}>{translate('reach.title')}</LinkButton>
            <LinkButton href={pathOf(path, { edit: true })} variant="primary" icon="pencil">
              {translate('edit')}
            </LinkButton>
          </>
        }
      />
      <Facts subscriber={subscriber} lists={lists} />
      <CustomFieldFacts subscriber={subscriber} />
      {question}
      <EditSubscriberDrawer subscriber={subscriber} isOpen={edit} onClose={close} />
      <HistoryDrawer
        record={{
          key: { entityType: SUBSCRIBER, entitySortKey: id },
          name: email,
          fieldsOf: subscriberFields,
          hrefOf: (shown) => pathOf(path, { ...closed, history: shown }),
          reload: () => invalidate('subscribers'),
        }}
        isOpen={history !== undefined}
        shown={history}
        onClose={close}
      />
    </>
  );
}

function Facts({ subscriber, lists }: ContentProps) {
  const { active, inactive_reason: reason, created_at, updated_at } = subscriber;
  return (
    <DescriptionList
      items={[
        ...(active ? [] : [{ term: translate('reason'), value: reason }]),
        { term: translate('lists'), value: listNames(subscriber.lists, lists) || null },
        { term: translate('column.created'), value: <RelativeTime value={created_at} /> },
        { term: translate('column.updated'), value: <RelativeTime value={updated_at} /> },
      ]}
    />
  );
}

/** The additional fields. They are named as in the API: their labels are part of the email settings. */
function CustomFieldFacts({ subscriber }: Pick<ContentProps, 'subscriber'>) {
  const fields = Object.entries(subscriber.additional_fields_data);
  if (fields.length === 0) return null;
  return (
    <Section title={translate('fields')}>
      <DescriptionList items={fields.map(([name, value]) => ({ term: name, value: valueText(value) }))} />
    </Section>
  );
}

function valueText(value: string | number | boolean): string {
  if (typeof value === 'boolean') return translate(value ? 'value.yes' : 'value.no');
  return typeof value === 'number' ? formatNumber(value) : value;
}
