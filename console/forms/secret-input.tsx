import type { ReactNode } from 'react';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/password-field.tsx';
import { TextField } from '../ui/text-field.tsx';
import classes from './secret-input.module.css';
import { formTexts } from './texts.ts';

const { translate } = formTexts;

interface SecretInputProps {
  readonly label: string;
  readonly help?: ReactNode;
  /** Undefined: the stored value is kept. Null: it is removed. A text replaces it. */
  readonly value: string | null | undefined;
  readonly onChange: (value: string | null | undefined) => void;
  readonly isRemovable: boolean;
  /** Shown while the stored value is kept. Default: that there is one. */
  readonly keptText?: string;
  readonly error: string | undefined;
  readonly disabledReason: string | undefined;
  readonly isReasonHidden: boolean;
}

/** A secret that the server has and never shows: it is kept until the user replaces or removes it. */
export function SecretInput(props: SecretInputProps) {
  const { label, help, value, onChange, isRemovable, error, disabledReason, isReasonHidden } = props;
  const { keptText = translate('secret.kept') } = props;
  const field = { label, help, error, disabledReason, isReasonHidden };
  const isDisabled = disabledReason !== undefined;
  const isKept = value === undefined;
  return (
    <div className={classes.secret}>
      {typeof value === 'string' ? (
        <PasswordField {...field} value={value} onChange={onChange} autoComplete="off" autoFocus />
      ) : (
        <TextField {...field} value={isKept ? keptText : translate('secret.removed')} isReadOnly />
      )}
      <div className={classes.actions}>
        {isKept ? (
          <>
            <Button size="small" isDisabled={isDisabled} onPress={() => onChange('')}>
              {translate('secret.replace')}
            </Button>
            {isRemovable ? (
              <Button size="small" variant="quiet" isDisabled={isDisabled} onPress={() => onChange(null)}>
                {translate('secret.remove')}
              </Button>
            ) : null}
          </>
        ) : (
          <Button size="small" variant="quiet" onPress={() => onChange(undefined)}>
            {translate('secret.keep')}
          </Button>
        )}
      </div>
    </div>
  );
}
