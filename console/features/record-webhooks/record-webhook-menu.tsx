import remove from 'operation:entity_webhooks.delete';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { hostOf } from '../../ui/host-of.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** Returns path and query of the list of a webhook's deliveries. */
export function deliveriesOf(id: string) {
  return ['connections/deliveries', { filter: `webhook_id is ${id}` }] as const;
}

/** The menu of a record webhook: shows its deliveries, and deletes it after a question. */
export function RecordWebhookMenu({ webhook: { id, url } }: { readonly webhook: schemas.EntityWebhook }) {
  const api = useApi();
  const invalidate = useInvalidate();
  const pathOf = useTenantPath();
  const [isAsking, setAsking] = useState(false);
  const host = hostOf(url);
  const { run, isPending } = useAction(async () => {
    await api.entityWebhooks.delete(id);
    await invalidate('record-webhooks');
    setAsking(false);
    toasts.add({ title: translate('deleted', { host }) });
  });
  const label = translate('actions', { target: url });
  return (
    <>
      <Menu
        label={label}
        groups={[
          {
            entries: [
              {
                id: 'deliveries',
                title: translate('deliveries'),
                icon: 'activity',
                href: pathOf(...deliveriesOf(id)),
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
              },
            ],
          },
        ]}
        trigger={<IconButton icon="ellipsis" size="small" label={label} />}
      />
      <ConfirmDialog
        title={translate('delete.title', { host })}
        action={translate('delete.action')}
        isOpen={isAsking}
        isPending={isPending}
        secondary={<ApiCallButton operation={remove} path={[id]} />}
        onConfirm={run}
        onClose={() => setAsking(false)}
      >
        {translate('delete.text')}
      </ConfirmDialog>
    </>
  );
}
