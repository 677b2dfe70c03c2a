import revert from 'operation:long_operations.revert';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { useInvalidate, useTenantQuery } from '../../session/use-tenant-query.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { uiTexts } from '../../ui/texts.ts';
import { toasts } from '../../ui/toasts.tsx';
import classes from './revert-dialog.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

interface RevertDialogProps {
  readonly operation: Pick<schemas.OperationDetail, 'id'>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks before an operation is reverted, with what the server says it would do. */
export function RevertDialog({ operation, isOpen, onClose }: RevertDialogProps) {
  return (
    <Dialog title={translate('revert.title')} role="alertdialog" isOpen={isOpen} onClose={onClose}>
      <Question id={operation.id} onClose={onClose} />
    </Dialog>
  );
}

/** Rendered only while the dialog is open, so that it counts each time. */
function Question({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const api = useApi();
  const invalidate = useInvalidate();
  const [openedAt] = useState(Date.now);
  const [typed, setTyped] = useState('');
  const { data: preview, error } = useTenantQuery(['operation-revert', id, openedAt], () =>
    api.longOperations.revert(id, { dry_run: true }),
  );
  const { run, isPending } = useAction(async () => {
    await api.longOperations.revert(id, {});
    onClose();
    toasts.add({ title: translate('revert.started') });
    await invalidate('operations');
  });
  if (error !== null) return <Banner tone="warning">{error.message}</Banner>;
  if (preview === undefined) return <Skeleton count={3} />;
  const { removed = 0, restored = 0, skipped = [] } = preview;
  const isEmpty = removed + restored === 0;
  // Erasing cannot be undone, so it needs the typed word.
  const word = removed > 0 ? translate('revert.word') : null;
  const isAllowed = !isEmpty && (word === null || typed.trim() === word);
  return (
    <DialogForm
      text={<Consequences removed={removed} restored={restored} skipped={skipped} />}
      onSubmit={() => {
        if (isAllowed && !isPending) run();
      }}
      actions={
        <>
          <ApiCallButton operation={revert} path={[id]} body={{}} />
          <Button onPress={onClose} autoFocus={word === null}>
            {uiTexts.translate('cancel')}
          </Button>
          <Button type="submit" variant="danger" isDisabled={!isAllowed} isPending={isPending}>
            {translate('revert.action')}
          </Button>
        </>
      }
    >
      {word === null ? null : (
        <TextField
          label={uiTexts.translate('confirm.word', { word })}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          spellCheck="false"
          autoFocus
        />
      )}
    </DialogForm>
  );
}

/** Lists how many records a revert removes, restores, and leaves as they are. */
function Consequences({
  removed,
  restored,
  skipped,
}: Required<Pick<schemas.OperationRevertReply, 'removed' | 'restored' | 'skipped'>>) {
  const countOf = (reason: 'changed' | 'unavailable') =>
    skipped.find((each) => each.reason === reason)?.count ?? 0;
  const facts = [
    ['revert.removed', removed],
    ['revert.restored', restored],
    ['revert.changed', countOf('changed')],
    ['revert.unavailable', countOf('unavailable')],
  ] as const;
  if (removed + restored === 0) return translate('revert.none');
  return facts
    .filter(([, count]) => count > 0)
    .map(([key, count]) => (
      <span key={key} className={classes.fact}>
        {translate(key, { count })}
      </span>
    ));
}
