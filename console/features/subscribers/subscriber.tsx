import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { useVersions } from '../../history/use-versions.ts';
import { listNames, useLists } from '../../people/use-lists.ts';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { formatNumber } from '../../texts/formats.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Section } from '../../ui/section.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { subscriberRoute } from './index.ts';
import { SUBSCRIBER, subscriberFields } from './subscriber-draft.ts';
import { SubscriberPage } from './subscriber-page.tsx';
import { texts } from './texts.ts';

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
  useVersions({ entityType: SUBSCRIBER, entitySortKey: subscriberId }, history !== undefined);
  const { data: lists = [] } = useLists();
  return (
    <SubscriberPage id={subscriberId} tab="details">
      {(subscriber) => (
        <>
          <Facts subscriber={subscriber} lists={lists} />
          <CustomFieldFacts subscriber={subscriber} />
          <Drawers key={subscriber.id} subscriber={subscriber} />
        </>
      )}
    </SubscriberPage>
  );
}

function Drawers({ subscriber }: { readonly subscriber: schemas.Subscriber }) {
  const { id, email } = subscriber;
  const { edit = false, history, ...closed } = subscriberRoute.useSearch();
  const navigate = useNavigate({ from: subscriberRoute.fullPath });
  const pathOf = useTenantPath();
  const invalidate = useInvalidate();
  const close = () => void navigate({ search: closed, replace: true });
  return (
    <>
      <EditSubscriberDrawer subscriber={subscriber} isOpen={edit} onClose={close} />
      <HistoryDrawer
        record={{
          key: { entityType: SUBSCRIBER, entitySortKey: id },
          name: email,
          fieldsOf: subscriberFields,
          hrefOf: (shown) => pathOf(`subscribers/${id}`, { ...closed, history: shown }),
          reload: () => invalidate('subscribers'),
        }}
        isOpen={history !== undefined}
        shown={history}
        onClose={close}
      />
    </>
  );
}

interface FactsProps {
  readonly subscriber: schemas.Subscriber;
  readonly lists: readonly schemas.List[];
}

function Facts({ subscriber, lists }: FactsProps) {
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
function CustomFieldFacts({ subscriber }: Pick<FactsProps, 'subscriber'>) {
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
