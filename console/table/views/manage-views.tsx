import type { schemas } from '../../../sdk/src/index.ts';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Switch } from '../../ui/switch.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { tableTexts } from '../texts.ts';
import classes from './manage-views.module.css';
import { useSharingReason } from './use-sharing-reason.ts';

const { translate } = tableTexts;

interface ManageViewsProps {
  readonly screen: string;
  readonly views: readonly schemas.ListedView[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** The views that the user may change: shares and deletes them. */
export function ManageViews({ views, isOpen, onClose, screen }: ManageViewsProps) {
  const own = views.filter((view) => view.can_change);
  return (
    <Dialog title={translate('views.manage.title')} isOpen={isOpen && own.length > 0} onClose={onClose}>
      <ul className={classes.views}>
        {own.map((view) => (
          <ViewLine key={view.id} view={view} screen={screen} />
        ))}
      </ul>
    </Dialog>
  );
}

function ViewLine({ view, screen }: { readonly view: schemas.ListedView; readonly screen: string }) {
  const { id, name, query, shared, version } = view;
  const api = useApi();
  const invalidate = useInvalidate();
  const sharingReason = useSharingReason();
  const sharing = useAction(async () => {
    await api.views.patch(id, { shared: !shared, version });
    await invalidate('views');
  });
  const deletion = useAction(async () => {
    await api.views.delete(id);
    await invalidate('views');
    toasts.add({
      title: translate('views.deleted', { name }),
      undo: async () => {
        await api.views.create({ screen, name, query, shared });
        await invalidate('views');
      },
    });
  });
  return (
    <li className={classes.view}>
      <span className={classes.name}>{name}</span>
      <Switch
        label={translate('views.shared')}
        isSelected={shared}
        onChange={sharing.run}
        disabledReason={shared ? undefined : sharingReason}
      />
      <IconButton
        icon="trash"
        size="small"
        label={translate('views.delete', { name })}
        onPress={deletion.run}
        isPending={deletion.isPending}
      />
    </li>
  );
}
