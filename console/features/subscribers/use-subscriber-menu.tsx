import remove from 'operation:subscribers.delete';
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
import { subscribersRoute } from './index.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** The menu of a subscriber, and the question that an entry asks. */
interface SubscriberMenu {
  readonly menu: readonly MenuGroup[];
  readonly question: ReactNode;
}

/** Returns the menu that opens the history of a subscriber, and erases it. */
export function useSubscriberMenu(subscriber: schemas.Subscriber): SubscriberMenu {
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
            href: pathOf(`subscribers/${subscriber.id}`, { history: true }),
          },
        ],
      },
      {
        entries: [
          {
            id: 'erase',
            title: translate('erase'),
            icon: 'trash',
            isDestructive: true,
            onAction: () => setAsking(true),
            disabledReason,
          },
        ],
      },
    ],
    question: <EraseQuestion subscriber={subscriber} isOpen={isAsking} onClose={() => setAsking(false)} />,
  };
}

interface EraseQuestionProps {
  readonly subscriber: schemas.Subscriber;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for the address, because an erased subscriber cannot be restored. */
function EraseQuestion({ subscriber: { id, email }, isOpen, onClose }: EraseQuestionProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const { run, isPending } = useAction(async () => {
    await api.subscribers.delete(id);
    await navigate({ from: '/t/$tenant', to: subscribersRoute.to });
    await invalidate('subscribers');
    toasts.add({ title: translate('erased') });
  });
  return (
    <ConfirmDialog
      title={translate('erase.title', { email })}
      action={translate('erase.action')}
      word={email}
      isOpen={isOpen}
      isPending={isPending}
      secondary={<ApiCallButton operation={remove} path={[id]} />}
      onConfirm={run}
      onClose={onClose}
    >
      {translate('erase.text')}
    </ConfirmDialog>
  );
}
