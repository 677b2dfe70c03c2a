import { Dialog } from '../ui/dialog.tsx';
import { ChangeList } from './change-list.tsx';
import type { Change } from './changes.ts';
import type { DraftFields } from './draft-fields.ts';
import { draftTexts } from './texts.ts';

const { translate } = draftTexts;

interface CompareDialogProps {
  readonly changes: readonly Change[];
  readonly fields: DraftFields;
  /** Default: "Your unsaved changes". */
  readonly title?: string;
  /** Name of the changed values. Default: "Yours". */
  readonly after?: string;
  readonly onClose: () => void;
}

/** Shows what is saved and what the user has made of it, field by field. */
export function CompareDialog(props: CompareDialogProps) {
  const { changes, fields, onClose } = props;
  const { title = translate('compare.title'), after = translate('compare.yours') } = props;
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <ChangeList changes={changes} fields={fields} before={translate('compare.saved')} after={after} />
    </Dialog>
  );
}
