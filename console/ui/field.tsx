import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import classes from './field.module.css';
import { Icon } from './icon.tsx';

/** Properties of all form fields. */
export interface FieldProps {
  readonly label: string;
  /** Only screen readers get the label, where the content around the field explains it. */
  readonly isLabelHidden?: boolean;
  /** One sentence below the field. */
  readonly help?: ReactNode;
  /** The fault of the value and how to correct it; null for a valid value. */
  readonly error?: string | null | undefined;
  /** Links or small buttons below the error, with which the user can go on. */
  readonly errorActions?: ReactNode;
  readonly isRequired?: boolean;
  readonly isDisabled?: boolean;
  /** Disables the field and says why, such as "Needs the role admin". */
  readonly disabledReason?: string | undefined;
  /** The reason is for screen readers only, because the page shows it once for all its fields. */
  readonly isReasonHidden?: boolean;
}

/** Returns the state of a field as React Aria's properties. Errors come from the caller, not from the browser. */
export function fieldState({ isRequired = false, isDisabled = false, disabledReason, error }: FieldProps) {
  return {
    isRequired,
    isDisabled: isDisabled || disabledReason !== undefined,
    isInvalid: hasError(error),
    validationBehavior: 'aria',
    className: classes.field ?? '',
  } as const;
}

/** The label above a field, with a mark if a value is required. */
export function FieldLabel({ label, isLabelHidden, isRequired }: FieldProps) {
  return (
    <Label className={isLabelHidden ? 'visually-hidden' : (classes.label ?? '')}>
      {label}
      {isRequired ? (
        <span className={classes.mark} aria-hidden="true">
          *
        </span>
      ) : null}
    </Label>
  );
}

/** Help, the reason for being disabled, and the error below a field. */
export function FieldNotes({
  help,
  error,
  errorActions,
  disabledReason,
  isReasonHidden = false,
}: FieldProps) {
  return (
    <>
      {help === undefined && disabledReason === undefined ? null : (
        <Text
          slot="description"
          className={help === undefined && isReasonHidden ? 'visually-hidden' : (classes.help ?? '')}
        >
          {disabledReason === undefined ? null : (
            <span className={isReasonHidden ? 'visually-hidden' : classes.reason}>
              <Icon name="lock" size={12} />
              {disabledReason}
            </span>
          )}
          {help}
        </Text>
      )}
      {!hasError(error) ? null : (
        <FieldError className={classes.error ?? ''}>
          <Icon name="circle-alert" size={14} />
          <span>{error}</span>
        </FieldError>
      )}
      {!hasError(error) || errorActions === undefined ? null : (
        <div className={classes.errorActions}>{errorActions}</div>
      )}
    </>
  );
}

function hasError(error: string | null | undefined): error is string {
  return error !== undefined && error !== null;
}
