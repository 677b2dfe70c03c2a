import type { ReactNode } from 'react';
import { Form as AriaForm } from 'react-aria-components';
import classes from './form.module.css';

interface FormProps {
  readonly onSubmit: () => void;
  /** Fields in one column. */
  readonly children: ReactNode;
  /** Buttons below the fields, the primary one first. */
  readonly actions?: ReactNode;
}

/** Fields of a form, up to 640 px wide. Enter in a field submits it. The browser does not validate: fields show errors. */
export function Form({ onSubmit, children, actions }: FormProps) {
  return (
    <AriaForm
      className={classes.form ?? ''}
      validationBehavior="aria"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
      {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
    </AriaForm>
  );
}
