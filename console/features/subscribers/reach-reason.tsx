import type { schemas } from '../../../sdk/src/index.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { Badge } from '../../ui/badge.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import classes from './reach.module.css';
import type { StoppedMail } from './reach-kinds.ts';
import { reasonName, reasonText } from './reason-text.ts';
import { SubscribeAgain } from './subscribe-again.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface ReachReasonRowProps {
  readonly subscriber: Pick<schemas.Subscriber, 'id' | 'email'>;
  readonly stopped: StoppedMail;
}

/** A reason why mail is not sent: what it stops, since when, and the one action that may change it. */
export function ReachReasonRow({ subscriber, stopped }: ReachReasonRowProps) {
  const { reason, kinds, extent } = stopped;
  const names = kinds.map(({ name }) => name).join(', ');
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <span className={classes.line}>
          <span className={classes.name}>{reasonName(reason)}</span>
          {extent === 'some' ? (
            <span className={classes.help}>{names}</span>
          ) : (
            <Badge>{translate(`reach.stops.${extent}`)}</Badge>
          )}
        </span>
        <span className={classes.help}>{reasonText(reason)}</span>
        {reason.code === 'suppressed' && reason.detail !== null ? (
          <q className={classes.detail}>{reason.detail}</q>
        ) : null}
      </div>
      <ReasonAction subscriber={subscriber} stopped={stopped} />
    </li>
  );
}

function ReasonAction({ subscriber, stopped: { reason, typeId, kinds } }: ReachReasonRowProps) {
  const pathOf = useTenantPath();
  switch (reason.action) {
    case 'activate':
      return (
        <LinkButton href={pathOf(`subscribers/${subscriber.id}`, { edit: true })} size="small">
          {translate('edit')}
        </LinkButton>
      );
    case 'subscribe':
      return <SubscribeAgain subscriber={subscriber} typeId={typeId ?? ''} name={kinds[0]?.name ?? ''} />;
    case 'delete_suppression':
      return (
        <LinkButton href={pathOf('subscribers/suppressions', { search: subscriber.email })} size="small">
          {translate('reach.suppression')}
        </LinkButton>
      );
    case 'allow_recipient':
      return (
        <LinkButton href={pathOf('settings/sandbox')} size="small">
          {translate('reach.sandbox.open')}
        </LinkButton>
      );
    default:
      return null;
  }
}
