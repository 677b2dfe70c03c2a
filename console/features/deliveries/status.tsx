import type { schemas } from '../../../sdk/src/index.ts';
import { formatNumber } from '../../texts/formats.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

const TONES = { pending: 'info', success: 'success', failed: 'danger' } as const satisfies Record<
  schemas.Delivery['status'],
  Tone
>;

/** Shows what became of a delivery. */
export function DeliveryStatus({ status }: Pick<schemas.Delivery, 'status'>) {
  return <Badge tone={TONES[status]}>{translate(`status.${status}`)}</Badge>;
}

/** Returns the name of a webhook, also of one that was deleted. */
export function webhookName({ webhook_name: name }: Pick<schemas.Delivery, 'webhook_name'>): string {
  return name ?? translate('webhook.deleted');
}

/** Returns what the receiver answered, or why it did not; null before the first attempt. */
export function answerOf({ status_code: code, error }: Pick<schemas.Delivery, 'status_code' | 'error'>) {
  if (error !== null) return error;
  return code === null ? null : translate('answer.status', { code: String(code) });
}

/** Returns a duration such as "120 ms" or "1.4 s". */
export function durationText(ms: number): string {
  return ms < 1_000
    ? translate('milliseconds', { ms: formatNumber(ms) })
    : translate('seconds', { seconds: formatNumber(ms / 1_000, { maximumFractionDigits: 1 }) });
}
