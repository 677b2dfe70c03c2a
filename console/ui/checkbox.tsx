import { CheckboxButton, CheckboxField, type CheckboxFieldProps } from 'react-aria-components/Checkbox';
import classes from './choice.module.css';
import { FieldNotes, type FieldProps, fieldState } from './field.tsx';

interface CheckboxProps
  extends FieldProps,
    Pick<
      CheckboxFieldProps,
      'isSelected' | 'defaultSelected' | 'isIndeterminate' | 'onChange' | 'name' | 'slot'
    > {
  /** Value within a {@link CheckboxGroup}. */
  readonly value?: string;
}

/** A statement that is true or false. It takes effect when the form is saved; a {@link Switch} takes effect at once. */
export function Checkbox(props: CheckboxProps) {
  return (
    <CheckboxField {...props} {...fieldState(props)} className={classes.choice ?? ''}>
      <CheckboxButton className={classes.control ?? ''}>
        {({ isIndeterminate }) => (
          <>
            <span className={classes.mark}>
              <svg
                width="10"
                height="10"
                viewBox="0 0 10 10"
                fill="none"
                stroke="currentColor"
                aria-hidden="true"
              >
                <path
                  d={isIndeterminate ? 'M2 5h6' : 'm1.5 5.5 2.2 2.2L8.5 2.5'}
                  strokeWidth="1.8"
                  strokeLinecap="round"
                  strokeLinejoin="round"
                />
              </svg>
            </span>
            <span className={props.isLabelHidden ? 'visually-hidden' : ''}>{props.label}</span>
          </>
        )}
      </CheckboxButton>
      <div className={classes.notes}>
        <FieldNotes {...props} />
      </div>
    </CheckboxField>
  );
}
