import patch from 'operation:email_settings.patch';
import remove from 'operation:sender_identities.delete';
import { useState } from 'react';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { useAccessReason } from '../../forms/use-access-reason.ts';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { withFirst } from './sender.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface SenderMenuProps {
  readonly address: string;
  /** Other senders whose domain cannot send: while there are some, no sender can be changed. */
  readonly unverified: readonly string[];
  /** True if mail can be sent from it, and it is not the default. */
  readonly canBeDefault: boolean;
}

/** The menu of a sender: makes it the default, and deletes it. */
export function SenderMenu({ address, unverified, canBeDefault }: SenderMenuProps) {
  const [isAsking, setAsking] = useState(false);
  const makeDefault = useMakeDefault(address);
  const [patchReason, removeReason] = [useAccessReason(patch), useAccessReason(remove)];
  const label = translate('actions', { address });
  const preference: MenuEntry = {
    id: 'default',
    title: translate('default.make'),
    icon: 'check',
    onAction: makeDefault,
    disabledReason:
      patchReason ??
      (unverified.length === 0 ? undefined : translate('others', { addresses: unverified.join(', ') })),
  };
  const deletion: MenuEntry = {
    id: 'delete',
    title: translate('delete'),
    icon: 'trash',
    isDestructive: true,
    onAction: () => setAsking(true),
    disabledReason: removeReason,
  };
  return (
    <>
      <Menu
        label={label}
        groups={[...(canBeDefault ? [{ entries: [preference] }] : []), { entries: [deletion] }]}
        trigger={<IconButton icon="ellipsis" size="small" label={label} />}
      />
      <DeleteQuestion address={address} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}

/** Returns a function that makes a sender the first of the list. */
function useMakeDefault(address: string): () => void {
  const api = useApi();
  const invalidate = useInvalidate();
  const { run } = useAction(async () => {
    const { sender_identities, version } = await api.emailSettings.get();
    await api.emailSettings.patch({ sender_identities: withFirst(sender_identities, address), version });
    await invalidate('email-settings');
    toasts.add({ title: translate('default.done', { address }) });
  });
  return run;
}

interface DeleteQuestionProps {
  readonly address: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function DeleteQuestion({ address, isOpen, onClose }: DeleteQuestionProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const { run, isPending } = useAction(async () => {
    await api.senderIdentities.delete(address);
    await invalidate('email-settings');
    onClose();
    toasts.add({ title: translate('deleted', { address }) });
  });
  return (
    <ConfirmDialog
      title={translate('delete.title', { address })}
      action={translate('delete.action')}
      isOpen={isOpen}
      isPending={isPending}
      secondary={<ApiCallButton operation={remove} path={[address]} />}
      onConfirm={run}
      onClose={onClose}
    >
      {translate('delete.text')}
    </ConfirmDialog>
  );
}
