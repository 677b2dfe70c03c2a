import type { schemas } from '../../../sdk/src/index.ts';
import { Badge } from '../../ui/badge.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** Shows how an audience gets its members, and whether that works. */
export function AudienceState({ audience: { computation } }: { readonly audience: schemas.Audience }) {
  if (computation === undefined) return <Badge>{translate('members.manual')}</Badge>;
  if (computation.state === 'computing') return <Badge tone="info">{translate('state.computing')}</Badge>;
  if (computation.state === 'failed') return <Badge tone="danger">{translate('state.failed')}</Badge>;
  return computation.problems.length > 0 ? (
    <Badge tone="warning">{translate('state.problems')}</Badge>
  ) : (
    <Badge tone="success">{translate('members.computed')}</Badge>
  );
}
