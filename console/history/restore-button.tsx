import { useState } from 'react';
import { Button, type ButtonSize, type ButtonVariant } from '../ui/button.tsx';
import { lazyWhenIdle } from '../ui/when-idle.tsx';
import type { DeletedRecordItem } from './restore-dialog.tsx';
import { historyTexts } from './texts.ts';
import { useRestoreReason } from './use-restore-reason.ts';

const { translate } = historyTexts;
// After the rows: the dialog needs the components of forms.
const RestoreDialog = lazyWhenIdle(async () => (await import('./restore-dialog.tsx')).RestoreDialog);

interface RestoreButtonProps {
  readonly item: DeletedRecordItem;
  /** The version to restore. Absent: the last one. */
  readonly version?: number;
  /** Reason why the record cannot be restored. */
  readonly refusal?: string | undefined;
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
}

/** The button that restores a deleted record. */
export function RestoreButton({ item, version, refusal, variant, size }: RestoreButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const access = useRestoreReason();
  return (
    <>
      <Button
        {...(size === undefined ? {} : { size })}
        {...(variant === undefined ? {} : { variant })}
        onPress={() => setOpen(true)}
        disabledReason={refusal ?? access}
      >
        {version === undefined ? translate('deleted.restore') : translate('deleted.version', { version })}
      </Button>
      <RestoreDialog item={item} version={version} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
