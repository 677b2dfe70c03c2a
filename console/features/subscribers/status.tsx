import type { schemas } from '../../../sdk/src/index.ts';
import { Badge } from '../../ui/badge.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** Shows whether a subscriber may get marketing mail. */
export function SubscriberStatus({ subscriber: { active } }: { readonly subscriber: schemas.Subscriber }) {
  return active ? (
    <Badge tone="success">{translate('status.active')}</Badge>
  ) : (
    <Badge>{translate('status.inactive')}</Badge>
  );
}
