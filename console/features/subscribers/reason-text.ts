import type { schemas } from '../../../sdk/src/index.ts';
import { formatDate } from '../../texts/formats.ts';
import { texts } from './texts.ts';

const { translate } = texts;
type Reason = schemas.ReachReason;

/** Returns a reason in one or two words. */
export function reasonName({ code, suppression_type }: Reason): string {
  const cause = suppression_type ?? 'unsubscribe';
  switch (code) {
    case 'inactive':
      return translate('reach.inactive');
    case 'unconfirmed':
      return translate('reach.unconfirmed');
    case 'unsubscribed':
      return translate('reach.unsubscribed');
    case 'suppressed':
      return translate(`reach.name.${cause}`);
    case 'sandbox':
      return translate('reach.sandbox');
  }
}

/** Returns a reason as a sentence, with its day and its author. */
export function reasonText({ code, suppression_type, since, detail, by }: Reason): string {
  const cause = suppression_type ?? 'unsubscribe';
  const date = since === null ? '' : formatDate(new Date(since), 'date');
  switch (code) {
    case 'inactive':
      return detail === null ? translate('reach.inactive.text') : translate('reach.inactive.why', { detail });
    case 'unconfirmed':
      return translate('reach.unconfirmed.text');
    case 'unsubscribed':
      return translate('reach.unsubscribed.text', { date, by: by ?? 'other' });
    case 'suppressed':
      return translate(`reach.text.${cause}`, { date });
    case 'sandbox':
      return translate('reach.sandbox.text');
  }
}
