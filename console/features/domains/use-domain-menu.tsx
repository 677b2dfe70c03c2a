import remove from 'operation:sending_domains.delete';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { useAccessReason } from '../../forms/use-access-reason.ts';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import type { MenuGroup } from '../../ui/menu.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { domainsRoute } from './index.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** The menu of a domain, and the question that its entry asks. */
interface DomainMenu {
  readonly menu: readonly MenuGroup[];
  readonly question: ReactNode;
}

/** Returns the menu that deletes a domain. */
export function useDomainMenu({ domain }: schemas.SendingDomain): DomainMenu {
  const [isAsking, setAsking] = useState(false);
  const disabledReason = useAccessReason(remove);
  return {
    menu: [
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
    question: <DeleteQuestion domain={domain} isOpen={isAsking} onClose={() => setAsking(false)} />,
  };
}

interface DeleteQuestionProps {
  readonly domain: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function DeleteQuestion({ domain, isOpen, onClose }: DeleteQuestionProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const { run, isPending } = useAction(async () => {
    await api.sendingDomains.delete(domain);
    await navigate({ from: '/t/$tenant', to: domainsRoute.to });
    await Promise.all([invalidate('domains'), invalidate('email-settings')]);
    toasts.add({ title: translate('deleted', { domain }) });
  });
  return (
    <ConfirmDialog
      title={translate('delete.title', { domain })}
      action={translate('delete.action')}
      word={domain}
      isOpen={isOpen}
      isPending={isPending}
      secondary={<ApiCallButton operation={remove} path={[domain]} />}
      onConfirm={run}
      onClose={onClose}
    >
      {translate('delete.text', { domain })}
    </ConfirmDialog>
  );
}
