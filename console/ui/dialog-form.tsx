import type { ReactNode } from 'react';
import classes from './dialog-form.module.css';

interface DialogFormProps {
  /** The question of the dialog, and its reason. */
  readonly text: ReactNode;
  /** Buttons at the end, the one that sends the form last. */
  readonly actions: ReactNode;
  readonly onSubmit: () => void;
  /** Fields between the text and the buttons. */
  readonly children?: ReactNode;
}

/** The content of a {@link Dialog} that asks for something: a text, fields and buttons. Enter sends it. */
export function DialogForm({ text, actions, onSubmit, children }: DialogFormProps) {
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div className={classes.text}>{text}</div>
      {children}
      <div className={classes.actions}>{actions}</div>
    </form>
  );
}
