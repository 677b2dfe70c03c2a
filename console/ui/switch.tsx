import { SwitchButton, SwitchField, type SwitchFieldProps } from 'react-aria-components/Switch';
import classes from './choice.module.css';
import { FieldNotes, type FieldProps, fieldState } from './field.tsx';

interface SwitchProps
  extends FieldProps,
    Pick<SwitchFieldProps, 'isSelected' | 'defaultSelected' | 'onChange' | 'name'> {}

/** Turns something on or off at once. */
export function Switch(props: SwitchProps) {
  return (
    <SwitchField {...props} {...fieldState(props)} className={classes.choice ?? ''}>
      <SwitchButton className={classes.control ?? ''}>
        <span className={classes.track}>
          <span className={classes.thumb} />
        </span>
        <span className={props.isLabelHidden ? 'visually-hidden' : ''}>{props.label}</span>
      </SwitchButton>
      <div className={classes.notes} data-switch>
        <FieldNotes {...props} />
      </div>
    </SwitchField>
  );
}
