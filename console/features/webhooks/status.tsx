import type { schemas } from '../../../sdk/src/index.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './status.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

const DELIVERY_TONES = { pending: 'info', success: 'success', failed: 'danger' } as const satisfies Record<
  schemas.WebhookDelivery['status'],
  Tone
>;

/** Shows whether a webhook sends submissions. */
export function WebhookStatus({ webhook }: { readonly webhook: schemas.Webhook }) {
  return webhook.active ? (
    <Badge tone="success">{translate('status.active')}</Badge>
  ) : (
    <Badge>{translate('status.paused')}</Badge>
  );
}

/** Result and time of a webhook's most recent attempt. */
export function LastAttempt({ webhook }: { readonly webhook: schemas.Webhook }) {
  const { last_attempt_at: at, last_attempt_status: status } = webhook;
  if (at === null || status === null) return translate('never');
  return (
    <span className={classes.attempt}>
      <Badge tone={status === 'success' ? 'success' : 'danger'}>{translate(`attempt.${status}`)}</Badge>
      <RelativeTime value={at} />
    </span>
  );
}

/** Finished deliveries of the last 24 hours. */
export function DayFigures({ webhook: { last_24h: figures } }: { readonly webhook: schemas.Webhook }) {
  const { succeeded, failed } = figures ?? { succeeded: 0, failed: 0 };
  if (succeeded + failed === 0) return <span className={classes.none}>{translate('day.none')}</span>;
  const sent = translate('day.sent', { count: succeeded });
  if (failed === 0) return sent;
  return (
    <span className={classes.attempt}>
      {sent}
      <Badge tone={succeeded === 0 ? 'danger' : 'warning'}>
        {translate('day.failed', { count: failed })}
      </Badge>
    </span>
  );
}

/** Shows whether a submission was delivered. */
export function DeliveryStatus({ status }: Pick<schemas.WebhookDelivery, 'status'>) {
  return <Badge tone={DELIVERY_TONES[status]}>{translate(`delivery.${status}`)}</Badge>;
}
