import { Dialog } from '../ui/dialog.tsx';
import { ChangeList } from './change-list.tsx';
import type { Change } from './changes.ts';
import type { DraftFields } from './draft-fields.ts';
import { draftTexts } from './texts.ts';

const { translate } = draftTexts;

interface CompareDialogProps {
  readonly changes: readonly Change[];
  readonly fields: DraftFields;
  readonly onClose: () => void;
}

/** Shows what is saved and what the user has made of it, field by field. */
export function CompareDialog({ changes, fields, onClose }: CompareDialogProps) {
  return (
    <Dialog title={translate('compare.title')} isOpen onClose={onClose}>
      <ChangeList
        changes={changes}
        fields={fields}
        before={translate('compare.saved')}
        after={translate('compare.yours')}
      />
    </Dialog>
  );
}
