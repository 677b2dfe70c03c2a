import remove from 'operation:lists.delete';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { useAccessReason } from '../../forms/use-access-reason.ts';
import { useAction } from '../../forms/use-action.ts';
import { historyTexts } from '../../history/texts.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { MenuGroup } from '../../ui/menu.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { UsageNotice } from '../../usage/usage-notice.tsx';
import { listsRoute } from './index.ts';
import { texts } from './texts.ts';
import { useListUsage } from './use-list-usage.ts';

const { translate } = texts;

/** The menu of a list, and the question that an entry asks. */
interface ListMenu {
  readonly menu: readonly MenuGroup[];
  readonly question: ReactNode;
}

/** Returns the menu that opens the history of a list, and deletes it. */
export function useListMenu(list: schemas.List): ListMenu {
  const pathOf = useTenantPath();
  const [isAsking, setAsking] = useState(false);
  const disabledReason = useAccessReason(remove);
  return {
    menu: [
      {
        entries: [
          {
            id: 'history',
            title: historyTexts.translate('title'),
            icon: 'rotate-ccw-clock',
            href: pathOf(`subscribers/lists/${list.id}`, { history: true }),
          },
        ],
      },
      {
        entries: [
          {
            id: 'delete',
            title: translate('delete'),
            icon: 'trash',
            isDestructive: true,
            onAction: () => setAsking(true),
            disabledReason,
          },
        ],
      },
    ],
    question: <DeleteQuestion list={list} isOpen={isAsking} onClose={() => setAsking(false)} />,
  };
}

interface DeleteQuestionProps {
  readonly list: schemas.List;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks before a list is deleted, because a restored list is empty. */
function DeleteQuestion({ list, isOpen, onClose }: DeleteQuestionProps) {
  const { id, name, subscriber_count: count } = list;
  const api = useApi();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const { data: usage } = useListUsage(id);
  const { run, isPending } = useAction(async () => {
    await api.lists.delete(id);
    await navigate({ from: '/t/$tenant', to: listsRoute.to });
    await Promise.all([invalidate('lists'), invalidate('subscribers')]);
    toasts.add({ title: translate('deleted', { name }) });
  });
  return (
    <ConfirmDialog
      title={translate('delete.title', { name })}
      action={translate('delete.action')}
      notice={usage === undefined ? null : <UsageNotice usage={usage} />}
      isOpen={isOpen}
      isPending={isPending}
      secondary={<ApiCallButton operation={remove} path={[id]} />}
      onConfirm={run}
      onClose={onClose}
    >
      {translate('delete.text', { count })}
    </ConfirmDialog>
  );
}
