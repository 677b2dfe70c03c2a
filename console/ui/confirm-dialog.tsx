import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import classes from './confirm-dialog.module.css';
import { Dialog } from './dialog.tsx';
import { DialogForm } from './dialog-form.tsx';
import { TextField } from './text-field.tsx';
import { uiTexts } from './texts.ts';

interface ConfirmDialogProps {
  /** The question, such as "Revoke this key?". */
  readonly title: string;
  /** Consequences of the action. */
  readonly children: ReactNode;
  /** A {@link Banner} below the consequences. */
  readonly notice?: ReactNode;
  /** The verb and object of the button. */
  readonly action: string;
  /** The harmless button. Default: "Cancel". */
  readonly cancel?: string;
  /** A quiet button before the others. */
  readonly secondary?: ReactNode;
  /** A word that the user must type first, such as the name of the deleted record, if much would be lost. */
  readonly word?: string;
  readonly isOpen: boolean;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before an action that cannot be undone. The focus starts on the cancel button, or on the word to type. */
export function ConfirmDialog({ title, isOpen, onClose, ...question }: ConfirmDialogProps) {
  return (
    <Dialog title={title} role="alertdialog" isOpen={isOpen} onClose={onClose}>
      <Question onClose={onClose} {...question} />
    </Dialog>
  );
}

/** Rendered only while the dialog is open, so that the word must be typed each time. */
function Question(props: Omit<ConfirmDialogProps, 'title' | 'isOpen'>) {
  const { translate } = uiTexts;
  const {
    children,
    notice,
    action,
    cancel = translate('cancel'),
    secondary,
    word,
    isPending,
    onConfirm,
    onClose,
  } = props;
  const [typed, setTyped] = useState('');
  const isMissing = word !== undefined && typed.trim() !== word;
  return (
    <DialogForm
      text={children}
      onSubmit={() => {
        if (!isMissing && !isPending) onConfirm();
      }}
      actions={
        <>
          {secondary === undefined ? null : <div className={classes.start}>{secondary}</div>}
          <Button onPress={onClose} autoFocus={word === undefined}>
            {cancel}
          </Button>
          <Button type="submit" variant="danger" isDisabled={isMissing} isPending={isPending}>
            {action}
          </Button>
        </>
      }
    >
      {notice}
      {word === undefined ? null : (
        <TextField
          label={translate('confirm.word', { word })}
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
