import revoke from 'operation:api_keys.revoke';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate } from '../../session/use-tenant-query.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** Revokes a key after a confirmation, because this cannot be undone. */
export function RevokeButton({ apiKey: { id, name } }: { readonly apiKey: schemas.ApiKey }) {
  const api = useApi();
  const invalidate = useInvalidate();
  const [isAsking, setAsking] = useState(false);
  const { run, isPending } = useAction(async () => {
    await api.apiKeys.revoke(id);
    await invalidate('keys');
    setAsking(false);
    toasts.add({ title: translate('revoked', { name }) });
  });
  return (
    <>
      <Button size="small" variant="quiet" onPress={() => setAsking(true)}>
        {translate('revoke')}
      </Button>
      <ConfirmDialog
        title={translate('revoke.title', { name })}
        action={translate('revoke.action')}
        isOpen={isAsking}
        isPending={isPending}
        secondary={<ApiCallButton operation={revoke} path={[id]} />}
        onConfirm={run}
        onClose={() => setAsking(false)}
      >
        {translate('revoke.text')}
      </ConfirmDialog>
    </>
  );
}
