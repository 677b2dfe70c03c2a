import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { useRestoreReason } from '../../history/use-restore-reason.ts';
import { Button } from '../../ui/button.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { texts } from './texts.ts';

// After the rows: the dialog needs the components of forms.
const RestoreDialog = lazyWhenIdle(async () => (await import('./restore-dialog.tsx')).RestoreDialog);

/** The button that restores a deleted record. */
export function RestoreButton({ item }: { readonly item: schemas.DeletedItem }) {
  const [isOpen, setOpen] = useState(false);
  const refused = useRestoreReason();
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        onPress={() => setOpen(true)}
        disabledReason={item.is_restorable ? refused : texts.translate('restore.never')}
      >
        {texts.translate('restore')}
      </Button>
      <RestoreDialog item={item} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
