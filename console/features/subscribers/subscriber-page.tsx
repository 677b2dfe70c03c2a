import type { ReactNode } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { fullName } from '../../people/full-name.ts';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { RecordPage } from '../../shell/record-page.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { LinkTabs } from '../../ui/link-tabs.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SubscriberStatus } from './status.tsx';
import { SUBSCRIBER } from './subscriber-draft.ts';
import { texts } from './texts.ts';
import { useSubscriberMenu } from './use-subscriber-menu.tsx';

const { translate } = texts;

/** A tab of the page. */
type Tab = 'details' | 'timeline' | 'reach';

interface SubscriberPageProps {
  readonly id: string;
  readonly tab: Tab;
  /** Returns the content of the tab. */
  readonly children: (subscriber: schemas.Subscriber) => ReactNode;
}

/** The page of a subscriber, whose tabs are screens of their own. */
export function SubscriberPage({ id, tab, children }: SubscriberPageProps) {
  const pathOf = useTenantPath();
  const query = useTenantQuery(['subscribers', id], (api, options) => api.subscribers.get(id, options));
  return (
    <RecordPage
      query={query}
      title={translate('subscriber')}
      missing={{
        title: translate('missing.title'),
        text: translate('missing.text'),
        back: translate('missing.back'),
        href: pathOf('subscribers'),
      }}
    >
      {(subscriber) => (
        <>
          <Head key={subscriber.id} subscriber={subscriber} tab={tab} />
          {children(subscriber)}
        </>
      )}
    </RecordPage>
  );
}

interface HeadProps {
  readonly subscriber: schemas.Subscriber;
  readonly tab: Tab;
}

function Head({ subscriber, tab }: HeadProps) {
  const { id, email } = subscriber;
  const pathOf = useTenantPath();
  const { menu, question } = useSubscriberMenu(subscriber);
  const path = `subscribers/${id}`;
  const hrefs = {
    details: pathOf(path),
    timeline: pathOf(`${path}/timeline`),
    reach: pathOf(`${path}/reach`),
  };
  return (
    <>
      <PageHeader
        title={fullName(subscriber)}
        description={email}
        status={
          <>
            <SubscriberStatus subscriber={subscriber} />
            <DraftBadge type={SUBSCRIBER} itemKey={id} />
          </>
        }
        menu={menu}
        actions={
          <LinkButton href={pathOf(path, { edit: true })} variant="primary" icon="pencil">
            {translate('edit')}
          </LinkButton>
        }
      />
      <LinkTabs
        label={translate('subscriber')}
        current={hrefs[tab]}
        tabs={[
          { href: hrefs.details, title: translate('tab.details') },
          { href: hrefs.timeline, title: translate('tab.timeline') },
          { href: hrefs.reach, title: translate('reach.title') },
        ]}
      />
      {question}
    </>
  );
}
