import patch from 'operation:email_settings.patch';
import test from 'operation:event_webhooks.test';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { useAccessReason } from '../../forms/use-access-reason.ts';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { TestDialog } from '../../webhook-tests/test-dialog.tsx';
import { EVENT_WEBHOOKS } from './event-webhook-draft.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface EventWebhookMenuProps {
  readonly name: string;
  /** Host of its address. */
  readonly host: string;
}

/** The menu of an event webhook: sends a test, and deletes it. */
export function EventWebhookMenu({ name, host }: EventWebhookMenuProps) {
  const api = useApi();
  const [isAsking, setAsking] = useState(false);
  const [reply, setReply] = useState<schemas.WebhookTestReply | null>(null);
  const sending = useAction(async () => setReply(await api.eventWebhooks.test(name)));
  const [testReason, patchReason] = [useAccessReason(test), useAccessReason(patch)];
  const label = translate('actions', { name });
  return (
    <>
      <Menu
        label={label}
        groups={[
          {
            entries: [
              {
                id: 'test',
                title: translate('test'),
                icon: 'send',
                onAction: sending.run,
                disabledReason: testReason,
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
                disabledReason: patchReason,
              },
            ],
          },
        ]}
        trigger={<IconButton icon="ellipsis" size="small" label={label} isPending={sending.isPending} />}
      />
      <TestDialog name={name} reply={reply} operation={test} path={[name]} onClose={() => setReply(null)} />
      <DeleteQuestion name={name} host={host} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  );
}

interface DeleteQuestionProps extends EventWebhookMenuProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function DeleteQuestion({ name, host, isOpen, onClose }: DeleteQuestionProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const { run, isPending } = useAction(async () => {
    const latest = await api.emailSettings.get();
    const kept = EVENT_WEBHOOKS.entriesOf(latest).filter((each) => each.name !== name);
    await api.emailSettings.patch({ event_webhooks: kept, version: latest.version });
    await invalidate('email-settings');
    onClose();
    toasts.add({ title: translate('deleted', { name }) });
  });
  return (
    <ConfirmDialog
      title={translate('delete.title', { name })}
      action={translate('delete.action')}
      isOpen={isOpen}
      isPending={isPending}
      onConfirm={run}
      onClose={onClose}
    >
      {translate('delete.text', { host })}
    </ConfirmDialog>
  );
}
