import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { useMembership } from '../../session/session-context.tsx';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { tableTexts } from '../texts.ts';
import { useTableSearch } from '../use-table-search.ts';
import { printView, readView } from './view-query.ts';

const { translate } = tableTexts;
const SaveView = lazyWhenIdle(async () => (await import('./save-view.tsx')).SaveView);
const ManageViews = lazyWhenIdle(async () => (await import('./manage-views.tsx')).ManageViews);

const NO_VIEWS: readonly schemas.ListedView[] = [];

/** The button with the saved views of a list; `screen` is the path of the list below the tenant. */
export function ViewsMenu({ screen }: { readonly screen: string }) {
  const [open, setOpen] = useState<'menu' | 'save' | 'manage' | null>(null);
  // Only then: most visits of a list use no view.
  const [isNeeded, setNeeded] = useState(false);
  const { search, change } = useTableSearch();
  const query = printView(search);
  const { data, error } = useTenantQuery(
    ['views', screen],
    (api, options) => api.views.list({ screen }, options),
    {
      isNeeded,
    },
  );
  const { membership_id: membershipId } = useMembership();
  const views = data?.results ?? NO_VIEWS;
  const label = translate('views');
  const entries: readonly MenuEntry[] = [
    {
      id: 'all',
      title: translate('views.all'),
      isCurrent: query === '',
      onAction: () => change(readView('')),
    },
    ...views.map((view) => ({
      id: view.id,
      title: view.name,
      ...(view.shared ? { description: sharedBy(view, membershipId) } : {}),
      isCurrent: query === view.query,
      onAction: () => change(readView(view.query)),
    })),
    ...(data === undefined
      ? [{ id: 'loading', title: error?.message ?? translate('loading'), isDisabled: true }]
      : []),
  ];
  const canSave = query !== '' && !views.some((view) => view.query === query && !view.shared);
  const actions: readonly MenuEntry[] = [
    {
      id: 'save',
      title: translate('views.save'),
      icon: 'plus',
      onAction: () => setOpen('save'),
      disabledReason: canSave ? undefined : translate(query === '' ? 'views.save.all' : 'views.save.same'),
    },
    ...(views.some((view) => view.can_change)
      ? [
          {
            id: 'manage',
            title: translate('views.manage'),
            icon: 'pencil',
            onAction: () => setOpen('manage'),
          } as const,
        ]
      : []),
  ];
  const close = () => setOpen(null);
  return (
    <>
      <Menu
        label={label}
        groups={[{ entries }, { entries: actions }]}
        onOpen={() => setNeeded(true)}
        trigger={<IconButton icon="bookmark" label={label} variant="secondary" />}
      />
      <SaveView screen={screen} query={query} views={views} isOpen={open === 'save'} onClose={close} />
      <ManageViews screen={screen} views={views} isOpen={open === 'manage'} onClose={close} />
    </>
  );
}

function sharedBy({ author }: schemas.ListedView, membershipId: string): string {
  if (author === null) return translate('views.shared');
  if (author.membership_id === membershipId) return translate('views.shared-own');
  return translate('views.shared-by', { name: author.name });
}
