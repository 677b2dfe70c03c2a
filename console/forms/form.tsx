import type { FormEvent, KeyboardEvent, ReactNode } from 'react';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import classes from './form.module.css';
import type { Submission } from './use-submit.ts';

interface FormProps {
  readonly submission: Submission;
  /** The button's verb and object, such as "Send invitation". */
  readonly action: string;
  /** Why the form cannot be sent, for users without the role. */
  readonly disabledReason?: string | undefined;
  /** A link or quiet button before the action. */
  readonly secondary?: ReactNode;
  readonly children: ReactNode;
}

/** A form: fields below each other, the server's message, and the button. Ctrl S or Cmd S sends it, too. */
export function Form({ submission, action, disabledReason, secondary, children }: FormProps) {
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (disabledReason === undefined) void submission.submit();
  };
  const sendByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 's' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    <form className={classes.form} onSubmit={send} onKeyDown={sendByKey}>
      {submission.message === null ? null : (
        <Banner tone="danger" isLive>
          {submission.message}
        </Banner>
      )}
      {children}
      <div className={classes.actions}>
        {secondary}
        <Button
          type="submit"
          variant="primary"
          isPending={submission.isPending}
          disabledReason={disabledReason}
        >
          {action}
        </Button>
      </div>
    </form>
  );
}
