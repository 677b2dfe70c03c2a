import test from 'operation:webhooks.test';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { useAccessReason } from '../../forms/use-access-reason.ts';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { Button } from '../../ui/button.tsx';
import { TestDialog } from '../../webhook-tests/test-dialog.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** Sends a test request, and shows what the receiver answered. */
export function TestButton({ webhook: { id, name } }: { readonly webhook: schemas.Webhook }) {
  const api = useApi();
  const disabledReason = useAccessReason(test);
  const [reply, setReply] = useState<schemas.WebhookTestReply | null>(null);
  const { run, isPending } = useAction(async () => setReply(await api.webhooks.test(id)));
  return (
    <>
      <Button icon="send" onPress={run} isPending={isPending} disabledReason={disabledReason}>
        {translate('test')}
      </Button>
      <TestDialog name={name} reply={reply} operation={test} path={[id]} onClose={() => setReply(null)} />
    </>
  );
}
