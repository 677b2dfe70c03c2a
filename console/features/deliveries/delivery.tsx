import type { schemas } from '../../../sdk/src/index.ts';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { RecordPage } from '../../shell/record-page.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Section } from '../../ui/section.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { AttemptList } from './attempt-list.tsx';
import { deliveryRoute } from './index.ts';
import { RequestView } from './request-view.tsx';
import { answerOf, DeliveryStatus, webhookName } from './status.tsx';
import { texts } from './texts.ts';
import { useRedeliver, useRedeliverReason } from './use-redeliver.ts';

const { translate } = texts;

/** Time between two readings of a delivery that waits for an attempt, in ms. */
const POLL_MS = 5_000;

/** One delivery: what was sent, and what the receiver answered each time. */
export function DeliveryScreen() {
  const { deliveryId } = deliveryRoute.useParams();
  const pathOf = useTenantPath();
  const query = useTenantQuery(
    ['deliveries', deliveryId],
    (api, options) => api.deliveries.get(deliveryId, options),
    { pollMs: ({ status }) => (status === 'pending' ? POLL_MS : false) },
  );
  return (
    <RecordPage
      query={query}
      title={translate('delivery')}
      missing={{
        title: translate('missing.title'),
        text: translate('missing.text'),
        back: translate('missing.back'),
        href: pathOf('connections/deliveries'),
      }}
    >
      {(delivery) => <Content key={delivery.id} delivery={delivery} />}
    </RecordPage>
  );
}

function Content({ delivery }: { readonly delivery: schemas.DeliveryDetail }) {
  const { id, status, request, attempts, created_at, next_attempt_at: next, subject_id } = delivery;
  const { run, isPending } = useRedeliver(delivery);
  const accessReason = useRedeliverReason();
  const disabledReason = accessReason ?? (request === null ? translate('request.none') : undefined);
  return (
    <>
      <PageHeader
        title={translate('delivery.to', { webhook: webhookName(delivery) })}
        status={<DeliveryStatus status={status} />}
        actions={
          <Button
            icon="refresh-cw"
            variant="primary"
            onPress={run}
            isPending={isPending}
            disabledReason={disabledReason}
          >
            {translate('redeliver')}
          </Button>
        }
      />
      <DescriptionList
        items={[
          { term: translate('field.webhook'), value: <WebhookLink delivery={delivery} /> },
          { term: translate('column.answer'), value: answerOf(delivery) },
          { term: translate('field.created'), value: <RelativeTime value={created_at} /> },
          ...(next === null
            ? []
            : [{ term: translate('column.next'), value: <RelativeTime value={next} /> }]),
          { term: translate('column.subject'), value: <code>{subject_id}</code> },
          { term: translate('field.id'), value: <code>{id}</code> },
        ]}
      />
      <Section title={translate('attempts')} description={translate('attempts.text')}>
        {attempts.length === 0 ? (
          <p>{translate('attempts.none')}</p>
        ) : (
          <AttemptList attempts={attempts.toReversed()} />
        )}
      </Section>
      <Section title={translate('request')} description={translate('request.text')}>
        {request === null ? (
          <Banner tone="neutral">{translate('request.none')}</Banner>
        ) : (
          <RequestView request={request} />
        )}
      </Section>
    </>
  );
}

/** The webhook: a link to its page, form or list; the kind of one that is deleted. */
function WebhookLink({ delivery }: { readonly delivery: schemas.Delivery }) {
  const pathOf = useTenantPath();
  const { kind, webhook_id: id, webhook_name: name } = delivery;
  if (name === null) return `${webhookName(delivery)} (${translate(`kind.${kind}`)})`;
  const hrefs = {
    form: pathOf(`connections/webhooks/${id}`),
    email_event: pathOf('connections/email-events', { edit: name }),
    record: pathOf('connections/record-changes'),
  };
  return <TextLink href={hrefs[kind]}>{name}</TextLink>;
}
