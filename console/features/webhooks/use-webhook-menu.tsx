import remove from 'operation:webhooks.delete';
import patch from 'operation:webhooks.patch';
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
import { hostOf } from '../../ui/host-of.ts';
import type { MenuEntry, MenuGroup } from '../../ui/menu.tsx';
import { type ToastMessage, toasts } from '../../ui/toasts.tsx';
import { webhookRoute, webhooksRoute } from './index.ts';
import { texts } from './texts.ts';
import { WEBHOOK } from './webhook-draft.ts';

const { translate } = texts;

/** The menu of a webhook, and the questions that its entries ask. */
interface WebhookMenu {
  readonly menu: readonly MenuGroup[];
  readonly questions: ReactNode;
}

/** Returns the menu that pauses, resumes and deletes a webhook, and opens its history. */
export function useWebhookMenu(webhook: schemas.Webhook): WebhookMenu {
  const pathOf = useTenantPath();
  const { edit: _, ...shown } = webhookRoute.useSearch();
  const [question, setQuestion] = useState<'pause' | 'delete' | null>(null);
  const resume = useResume(webhook);
  const close = () => setQuestion(null);
  const switching: MenuEntry = webhook.active
    ? { id: 'pause', title: translate('pause'), icon: 'clock', onAction: () => setQuestion('pause') }
    : { id: 'resume', title: translate('resume'), icon: 'check', onAction: resume };
  const history: MenuEntry = {
    id: 'history',
    title: historyTexts.translate('title'),
    icon: 'rotate-ccw-clock',
    href: pathOf(`connections/webhooks/${webhook.id}`, { ...shown, history: true }),
  };
  const deletion: MenuEntry = {
    id: 'delete',
    title: translate('delete'),
    icon: 'trash',
    isDestructive: true,
    onAction: () => setQuestion('delete'),
  };
  const [pauseReason, deleteReason] = [useAccessReason(patch), useAccessReason(remove)];
  return {
    menu: [
      { entries: [history, { ...switching, disabledReason: pauseReason }] },
      { entries: [{ ...deletion, disabledReason: deleteReason }] },
    ],
    questions: (
      <>
        <PauseQuestion webhook={webhook} isOpen={question === 'pause'} onClose={close} />
        <DeleteQuestion webhook={webhook} isOpen={question === 'delete'} onClose={close} />
      </>
    ),
  };
}

function useResume({ id, name }: schemas.Webhook): () => void {
  const api = useApi();
  const invalidate = useInvalidate();
  const { run } = useAction(async () => {
    await api.webhooks.patch(id, { active: true });
    await invalidate('webhooks');
    toasts.add({ title: translate('resumed', { name }) });
  });
  return run;
}

interface QuestionProps {
  readonly webhook: schemas.Webhook;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks before a pause, because waiting deliveries are dropped. */
function PauseQuestion({ webhook: { id, name }, isOpen, onClose }: QuestionProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const { run, isPending } = useAction(async () => {
    await api.webhooks.patch(id, { active: false });
    await invalidate('webhooks');
    onClose();
    toasts.add({ title: translate('paused', { name }) });
  });
  return (
    <ConfirmDialog
      title={translate('pause.title', { name })}
      action={translate('pause')}
      isOpen={isOpen}
      isPending={isPending}
      secondary={<ApiCallButton operation={patch} path={[id]} body={{ active: false }} />}
      onConfirm={run}
      onClose={onClose}
    >
      {translate('pause.text')}
    </ConfirmDialog>
  );
}

function DeleteQuestion({ webhook, isOpen, onClose }: QuestionProps) {
  const { id, name, target } = webhook;
  const api = useApi();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const wayBack = useWayBack(webhook);
  const { run, isPending } = useAction(async () => {
    await api.webhooks.delete(id);
    await navigate({ from: '/t/$tenant', to: webhooksRoute.to });
    await invalidate('webhooks');
    toasts.add({ title: translate('deleted', { name }), ...wayBack });
  });
  return (
    <ConfirmDialog
      title={translate('delete.title', { name })}
      action={translate('delete.action')}
      isOpen={isOpen}
      isPending={isPending}
      secondary={<ApiCallButton operation={remove} path={[id]} />}
      onConfirm={run}
      onClose={onClose}
    >
      {translate('delete.text', { host: hostOf(target.url) })}
    </ConfirmDialog>
  );
}

/** Returns how a deletion is reverted: at once, or in the bin, which asks for the values of secret headers. */
function useWayBack({ id, name, target }: schemas.Webhook): Pick<ToastMessage, 'undo' | 'link'> {
  const api = useApi();
  const invalidate = useInvalidate();
  const pathOf = useTenantPath();
  if (target.headers.some(({ is_secret }) => is_secret)) {
    const href = pathOf('bin', { kind: WEBHOOK, search: name });
    return { link: { title: translate('deleted.bin'), href } };
  }
  return {
    undo: async () => {
      const { warnings } = await api.deletedRecords.restore({ entityType: WEBHOOK, entitySortKey: id });
      await invalidate('webhooks');
      for (const { message } of warnings) toasts.add({ title: message });
    },
  };
}
