import type { schemas } from '../../../sdk/src/index.ts';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { RecordPage } from '../../shell/record-page.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { Badge } from '../../ui/badge.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { reachRoute } from './index.ts';
import classes from './reach.module.css';
import { type KindOfMail, kindsOf, reasonsOf } from './reach-kinds.ts';
import { ReachReasonRow } from './reach-reason.tsx';
import { reasonName } from './reason-text.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** Answers whether a subscriber can get mail: each kind of mail, and what stops it. */
export function ReachScreen() {
  const { subscriberId } = reachRoute.useParams();
  const pathOf = useTenantPath();
  const query = useTenantQuery(['subscribers', subscriberId, 'reach'], (api, options) =>
    api.subscribers.reach(subscriberId, options),
  );
  return (
    <RecordPage
      query={query}
      title={translate('reach.title')}
      missing={{
        title: translate('missing.title'),
        text: translate('missing.text'),
        back: translate('missing.back'),
        href: pathOf('subscribers'),
      }}
    >
      {(reach) => <Content id={subscriberId} reach={reach} />}
    </RecordPage>
  );
}

interface ContentProps {
  readonly id: string;
  readonly reach: schemas.SubscriberReach;
}

function Content({ id, reach }: ContentProps) {
  const pathOf = useTenantPath();
  const kinds = kindsOf(reach);
  const reasons = reasonsOf(kinds);
  return (
    <>
      <PageHeader
        title={translate('reach.title')}
        description={reach.email}
        status={<Answer kinds={kinds} />}
        actions={<LinkButton href={pathOf(`subscribers/${id}`)}>{translate('reach.subscriber')}</LinkButton>}
      />
      {reasons.length === 0 ? null : (
        <Section title={translate('reach.reasons')} description={translate('reach.reasons.text')}>
          <ul className={classes.list}>
            {reasons.map((each) => (
              <ReachReasonRow
                key={`${each.reason.code} ${each.typeId}`}
                subscriber={{ id, email: reach.email }}
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

/** The answer in two words. */
function Answer({ kinds }: { readonly kinds: readonly KindOfMail[] }) {
  const open = kinds.filter(({ ok }) => ok).length;
  if (open === kinds.length) return <Badge tone="success">{translate('reach.all')}</Badge>;
  return open === 0 ? (
    <Badge tone="danger">{translate('reach.none')}</Badge>
  ) : (
    <Badge tone="warning">{translate('reach.some')}</Badge>
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
