import replace from 'operation:subscribers.replace';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { useAccessReason } from '../../forms/use-access-reason.ts';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { bodyOf } from './subscriber-body.ts';
import { texts } from './texts.ts';

const { translate } = texts;

interface SubscribeAgainProps {
  readonly subscriber: Pick<schemas.Subscriber, 'id' | 'email'>;
  readonly typeId: string;
  /** Name of the type. */
  readonly name: string;
}

/** The button that subscribes somebody to a type that they left. It asks, because they must have asked for it. */
export function SubscribeAgain({ subscriber: { id, email }, typeId, name }: SubscribeAgainProps) {
  const api = useApi();
  const invalidate = useInvalidate();
  const [isAsking, setAsking] = useState(false);
  const disabledReason = useAccessReason(replace);
  const { run, isPending } = useAction(async () => {
    const stored = await api.subscribers.get(id);
    const updates = [{ subscription_type_id: typeId, subscribe: true }];
    await api.subscribers.replace(id, { ...bodyOf(stored), subscription_updates: updates });
    setAsking(false);
    await invalidate('subscribers');
    toasts.add({ title: translate('reach.subscribed', { email, name }) });
  });
  return (
    <>
      <Button size="small" disabledReason={disabledReason} onPress={() => setAsking(true)}>
        {translate('reach.subscribe')}
      </Button>
      <ConfirmDialog
        title={translate('reach.subscribe.title', { name })}
        action={translate('reach.subscribe')}
        isOpen={isAsking}
        isPending={isPending}
        onConfirm={run}
        onClose={() => setAsking(false)}
      >
        {translate('reach.subscribe.text', { email })}
      </ConfirmDialog>
    </>
  );
}
