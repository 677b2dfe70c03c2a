import type { schemas } from '../../../sdk/src/index.ts';
import { formatDate } from '../../texts/formats.ts';
import { texts } from './texts.ts';

const { translate } = texts;
type Reason = schemas.ReachReason;

/** Returns a reason in one or two words. */
export function reasonName(reason: Reason): string {
  return reason.code === 'suppressed'
    ? translate(`reach.suppressed.${reason.suppression_type ?? 'unsubscribe'}`)
    : translate(`reach.${reason.code}`);
}

/** Returns a reason as a sentence, with its day and its author. */
export function reasonText(reason: Reason): string {
  const { code, detail, by } = reason;
  const date = reason.since === null ? '' : formatDate(new Date(reason.since), 'date');
  switch (code) {
    case 'inactive':
      return detail === null ? translate('reach.inactive.text') : translate('reach.inactive.why', { detail });
    case 'unconfirmed':
      return translate('reach.unconfirmed.text');
    case 'unsubscribed':
      return translate('reach.unsubscribed.text', { date, by: by ?? 'other' });
    case 'suppressed':
      return translate(`reach.suppressed.${reason.suppression_type ?? 'unsubscribe'}.text`, { date });
    case 'sandbox':
      return translate('reach.sandbox.text');
  }
}
