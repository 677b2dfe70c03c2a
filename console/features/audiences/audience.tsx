import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { useVersions } from '../../history/use-versions.ts';
import { useInvalidate, useTenantQuery } from '../../session/use-tenant-query.ts';
import { RecordPage } from '../../shell/record-page.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { Banner } from '../../ui/banner.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { UsageSection } from '../../usage/usage-section.tsx';
import { AUDIENCE, audienceFields } from './audience-draft.ts';
import { AudienceState } from './audience-state.tsx';
import { ConditionSummary } from './condition-summary.tsx';
import { audienceRoute } from './index.ts';
import { texts } from './texts.ts';
import { useAudienceMenu } from './use-audience-menu.tsx';
import { useAudienceUsage } from './use-audience-usage.ts';
import { WhySection } from './why-section.tsx';

const { translate } = texts;
/** Time between two looks at an audience whose members are being computed, in ms. */
const POLL_MS = 2_000;
// After the page: the drawers need the components of forms.
const HistoryDrawer = lazyWhenIdle(
  async () => (await import('../../history/history-drawer.tsx')).HistoryDrawer,
);
const EditAudienceDrawer = lazyWhenIdle(async () => (await import('./edit-audience.tsx')).EditAudienceDrawer);

/** One audience: what it is for, and the way to its subscribers. */
export function AudienceScreen() {
  const { audienceId } = audienceRoute.useParams();
  const { history } = audienceRoute.useSearch();
  const pathOf = useTenantPath();
  const query = useTenantQuery(
    ['audiences', audienceId],
    (api, options) => api.audiences.get(audienceId, options),
    {
      pollMs: ({ computation }) => (computation?.state === 'computing' ? POLL_MS : false),
    },
  );

  useVersions({ entityType: AUDIENCE, entitySortKey: audienceId }, history !== undefined);
  return (
    <RecordPage
      query={query}
      title={translate('audience')}
      missing={{
        title: translate('missing.title'),
        text: translate('missing.text'),
        back: translate('missing.back'),
        href: pathOf('subscribers/audiences'),
      }}
    >
      {(audience) => <Content key={audience.id} audience={audience} />}
    </RecordPage>
  );
}

function Content({ audience }: { readonly audience: schemas.Audience }) {
  const { id, name, description, subscriber_count: count, filters, computation } = audience;
  const { created_at, updated_at } = audience;
  const pathOf = useTenantPath();
  const usage = useAudienceUsage(id);
  const { menu, question } = useAudienceMenu(audience);
  const path = `subscribers/audiences/${id}`;
  const members = pathOf('subscribers', { filter: `audiences is ${id}` });
  return (
    <>
      <PageHeader
        title={name}
        description={description ?? undefined}
        status={
          <>
            <AudienceState audience={audience} />
            <DraftBadge type={AUDIENCE} itemKey={id} />
          </>
        }
        menu={menu}
        actions={
          <>
            <LinkButton href={members} icon="users">
              {translate('members')}
            </LinkButton>
            <LinkButton href={pathOf(path, { edit: true })} variant="primary" icon="pencil">
              {translate('edit')}
            </LinkButton>
          </>
        }
      />
      {(computation?.problems ?? []).map(({ field, message }) => (
        <Banner key={field} tone="warning" title={translate('problem')}>
          {`${field}: ${message}`}
        </Banner>
      ))}
      <DescriptionList
        items={[
          {
            term: translate('subscribers'),
            value: <TextLink href={members}>{translate('count.subscribers', { count })}</TextLink>,
          },
          ...(filters === undefined
            ? []
            : [{ term: translate('conditions'), value: <ConditionSummary filters={filters} /> }]),
          { term: translate('created'), value: <RelativeTime value={created_at} /> },
          { term: translate('updated'), value: <RelativeTime value={updated_at} /> },
        ]}
      />
      <UsageSection query={usage} />
      <WhySection audience={audience} />
      {question}
      <Drawers audience={audience} />
    </>
  );
}

function Drawers({ audience }: { readonly audience: schemas.Audience }) {
  const { id, name } = audience;
  const { edit = false, history, ...closed } = audienceRoute.useSearch();
  const navigate = useNavigate({ from: audienceRoute.fullPath });
  const pathOf = useTenantPath();
  const invalidate = useInvalidate();
  const close = () => void navigate({ search: closed, replace: true });
  return (
    <>
      <EditAudienceDrawer audience={audience} isOpen={edit} onClose={close} />
      <HistoryDrawer
        record={{
          key: { entityType: AUDIENCE, entitySortKey: id },
          name,
          fieldsOf: audienceFields,
          hrefOf: (shown) => pathOf(`subscribers/audiences/${id}`, { ...closed, history: shown }),
          reload: () => invalidate('audiences'),
        }}
        isOpen={history !== undefined}
        shown={history}
        onClose={close}
      />
    </>
  );
}
