import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { useVersions } from '../../history/use-versions.ts';
import { useInvalidate, useTenantQuery } from '../../session/use-tenant-query.ts';
import { RecordPage } from '../../shell/record-page.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { UsageSection } from '../../usage/usage-section.tsx';
import { listRoute } from './index.ts';
import { LIST, listFields } from './list-draft.ts';
import { texts } from './texts.ts';
import { useListMenu } from './use-list-menu.tsx';
import { useListUsage } from './use-list-usage.ts';

const { translate } = texts;
// After the page: the drawers need the components of forms.
const HistoryDrawer = lazyWhenIdle(
  async () => (await import('../../history/history-drawer.tsx')).HistoryDrawer,
);
const EditListDrawer = lazyWhenIdle(async () => (await import('./edit-list.tsx')).EditListDrawer);

/** One list: what it is for, and the way to its subscribers. */
export function ListScreen() {
  const { listId } = listRoute.useParams();
  const { history } = listRoute.useSearch();
  const pathOf = useTenantPath();
  const query = useTenantQuery(['lists', listId], (api, options) => api.lists.get(listId, options));
  useVersions({ entityType: LIST, entitySortKey: listId }, history !== undefined);
  return (
    <RecordPage
      query={query}
      title={translate('list')}
      missing={{
        title: translate('missing.title'),
        text: translate('missing.text'),
        back: translate('missing.back'),
        href: pathOf('subscribers/lists'),
      }}
    >
      {(list) => <Content key={list.id} list={list} />}
    </RecordPage>
  );
}

function Content({ list }: { readonly list: schemas.List }) {
  const { id, name, description, subscriber_count: count, created_at, updated_at } = list;
  const { edit = false, history, ...closed } = listRoute.useSearch();
  const navigate = useNavigate({ from: listRoute.fullPath });
  const pathOf = useTenantPath();
  const invalidate = useInvalidate();
  const usage = useListUsage(id);
  const { menu, question } = useListMenu(list);
  const path = `subscribers/lists/${id}`;
  const members = pathOf('subscribers', { filter: `lists is ${id}` });
  const close = () => void navigate({ search: closed, replace: true });
  return (
    <>
      <PageHeader
        title={name}
        description={description ?? undefined}
        status={<DraftBadge type={LIST} itemKey={id} />}
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
      <DescriptionList
        items={[
          {
            term: translate('subscribers'),
            value: <TextLink href={members}>{translate('count.subscribers', { count })}</TextLink>,
          },
          { term: translate('created'), value: <RelativeTime value={created_at} /> },
          { term: translate('updated'), value: <RelativeTime value={updated_at} /> },
        ]}
      />
      <UsageSection query={usage} />
      {question}
      <EditListDrawer list={list} isOpen={edit} onClose={close} />
      <HistoryDrawer
        record={{
          key: { entityType: LIST, entitySortKey: id },
          name,
          fieldsOf: listFields,
          hrefOf: (shown) => pathOf(path, { ...closed, history: shown }),
          reload: () => invalidate('lists'),
        }}
        isOpen={history !== undefined}
        shown={history}
        onClose={close}
      />
    </>
  );
}
