import { Dialog } from '../ui/dialog.tsx';
import type { Change } from './changes.ts';
import classes from './compare-dialog.module.css';
import { type DraftFields, fieldAt } from './draft-fields.ts';
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
      <ul className={classes.changes}>
        {changes.map(({ path, before, after }) => {
          const { label, format } = fieldAt(fields, path);
          return (
            <li key={path.join('.')} className={classes.change}>
              <h3 className={classes.label}>{label}</h3>
              <dl className={classes.values}>
                <dt>{translate('compare.saved')}</dt>
                <dd>{format(before)}</dd>
                <dt>{translate('compare.yours')}</dt>
                <dd data-yours>{format(after)}</dd>
              </dl>
            </li>
          );
        })}
      </ul>
    </Dialog>
  );
}
