import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { ApiCallButton } from './api-call/api-call-button.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import classes from './operation-form.module.css';
import { formTexts } from './texts.ts';
import type { Form } from './use-form.ts';
import { useSaveKey } from './use-save-key.ts';

const { translate } = formTexts;

/** The first control of the first invalid field. */
const INVALID = ['input', 'textarea', 'button', '[tabindex="0"]']
  .map(
    (control) => `[data-invalid] ${control}:not([type="hidden"], [tabindex="-1"]), ${control}[data-invalid]`,
  )
  .join();

interface OperationFormProps<Body extends object> {
  readonly form: Form<Body>;
  /** The button's verb and object, such as "Send invitation". */
  readonly action: string;
  /** The value is kept as a draft, so leaving the form loses nothing. Otherwise the user is asked. */
  readonly isKept?: boolean;
  /** A link or quiet button before the action. */
  readonly secondary?: ReactNode;
  readonly children: ReactNode;
}

/** The fields of an operation below each other, what was refused, and the button. Ctrl S or Cmd S sends it, too. */
export function OperationForm<Body extends object>(props: OperationFormProps<Body>) {
  const { form, action, isKept = false, secondary, children } = props;
  const { disabledReason, message, isUnanswered, refusals } = form;
  const element = useRef<HTMLFormElement>(null);
  useSaveKey(element);
  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>(INVALID)?.focus();
  }, [refusals]);
  const send = (event: FormEvent) => {
    event.preventDefault();
    // Forms of overlays are children of this one for React, but not for the browser.
    if (event.target === element.current && disabledReason === undefined) void form.submit();
  };
  return (
    <form ref={element} className={classes.form} onSubmit={send} noValidate>
      {disabledReason === undefined ? null : <Banner tone="neutral">{disabledReason}</Banner>}
      {isUnanswered ? (
        <Banner
          tone="danger"
          isLive
          action={
            <Button size="small" onPress={() => void form.submit()}>
              {translate('offline.retry')}
            </Button>
          }
        >
          {translate(isKept ? 'offline.kept' : 'offline')}
        </Banner>
      ) : null}
      {message === null ? null : (
        <Banner tone="danger" isLive>
          {message}
        </Banner>
      )}
      {children}
      <div className={classes.actions}>
        <div className={classes.start}>
          <ApiCallButton operation={form.operation} path={form.path} body={form.value} />
        </div>
        <div className={classes.end}>
          {secondary}
          <Button type="submit" variant="primary" isPending={form.isPending} disabledReason={disabledReason}>
            {action}
          </Button>
        </div>
      </div>
      {isKept ? null : <LeaveGuard isChanged={form.isChanged} />}
    </form>
  );
}
