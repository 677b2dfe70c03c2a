import remove from 'operation:audiences.delete';
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
import { audiencesRoute } from './index.ts';
import { texts } from './texts.ts';
import { useAudienceUsage } from './use-audience-usage.ts';

const { translate } = texts;

/** The menu of an audience, and the question that an entry asks. */
interface AudienceMenu {
  readonly menu: readonly MenuGroup[];
  readonly question: ReactNode;
}

/** Returns the menu that opens the history of an audience, and deletes it. */
export function useAudienceMenu(audience: schemas.Audience): AudienceMenu {
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
            href: pathOf(`subscribers/audiences/${audience.id}`, { history: true }),
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
    question: <DeleteQuestion audience={audience} isOpen={isAsking} onClose={() => setAsking(false)} />,
  };
}

interface DeleteQuestionProps {
  readonly audience: schemas.Audience;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks before a list is deleted, because a restored list is empty. */
function DeleteQuestion({ audience, isOpen, onClose }: DeleteQuestionProps) {
  const { id, name, subscriber_count: count } = audience;
  const api = useApi();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const { data: usage } = useAudienceUsage(id);
  const { run, isPending } = useAction(async () => {
    await api.audiences.delete(id);
    await navigate({ from: '/t/$tenant', to: audiencesRoute.to });
    await Promise.all([invalidate('audiences'), invalidate('subscribers')]);
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
