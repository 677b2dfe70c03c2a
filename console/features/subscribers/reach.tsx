import type { UseQueryResult } from '@tanstack/react-query';
import type { schemas } from '../../../sdk/src/index.ts';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { LoadFailure } from '../../shell/load-failure.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { reachRoute } from './index.ts';
import classes from './reach.module.css';
import { type KindOfMail, kindsOf, reasonsOf } from './reach-kinds.ts';
import { ReachReasonRow } from './reach-reason.tsx';
import { reasonName } from './reason-text.ts';
import { SubscriberPage } from './subscriber-page.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** Answers whether a subscriber can get mail: each kind of mail, and what stops it. */
export function ReachScreen() {
  const { subscriberId } = reachRoute.useParams();
  const query = useTenantQuery(['subscribers', subscriberId, 'reach'], (api, options) =>
    api.subscribers.reach(subscriberId, options),
  );
  return (
    <SubscriberPage id={subscriberId} tab="reach">
      {() => <Reach id={subscriberId} query={query} />}
    </SubscriberPage>
  );
}

interface ReachProps {
  readonly id: string;
  readonly query: UseQueryResult<schemas.SubscriberReach>;
}

function Reach({ id, query: { data, error, refetch, isFetching } }: ReachProps) {
  if (data === undefined)
    return error === null ? (
      <Skeleton shape="rows" count={4} />
    ) : (
      <LoadFailure error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
    );
  const kinds = kindsOf(data);
  const reasons = reasonsOf(kinds);
  return (
    <>
      <Answer kinds={kinds} />
      {reasons.length === 0 ? null : (
        <Section title={translate('reach.reasons')} description={translate('reach.reasons.text')}>
          <ul className={classes.list}>
            {reasons.map((each) => (
              <ReachReasonRow
                key={`${each.reason.code} ${each.typeId}`}
                subscriber={{ id, email: data.email }}
                stopped={each}
              />
            ))}
          </ul>
        </Section>
      )}
      <Section title={translate('reach.kinds')}>
        <ul className={classes.list}>
          {kinds.map((kind) => (
            <KindRow key={`${kind.group} ${kind.typeId}`} kind={kind} />
          ))}
        </ul>
      </Section>
    </>
  );
}

/** The answer in a few words. */
function Answer({ kinds }: { readonly kinds: readonly KindOfMail[] }) {
  const open = kinds.filter(({ ok }) => ok).length;
  if (open === kinds.length) return <Banner tone="success" title={translate('reach.all')} />;
  return open === 0 ? (
    <Banner tone="danger" title={translate('reach.none')} />
  ) : (
    <Banner tone="warning" title={translate('reach.some')} />
  );
}

function KindRow({ kind: { name, help, ok, reasons } }: { readonly kind: KindOfMail }) {
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <span className={classes.name}>{name}</span>
        <span className={classes.help}>{ok ? help : reasons.map(reasonName).join(', ')}</span>
      </div>
      {ok ? (
        <Badge tone="success">{translate('reach.yes')}</Badge>
      ) : (
        <Badge tone="danger">{translate('reach.no')}</Badge>
      )}
    </li>
  );
}
