import { Button } from 'react-aria-components/Button';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import {
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaProps,
} from 'react-aria-components/NumberField';
import { FieldLabel, FieldNotes, type FieldProps, fieldState } from './field.tsx';
import { Icon } from './icon.tsx';
import classes from './input.module.css';
import numberClasses from './number-field.module.css';

interface NumberFieldProps
  extends FieldProps,
    Pick<
      AriaProps,
      | 'value'
      | 'defaultValue'
      | 'onChange'
      | 'onBlur'
      | 'name'
      | 'minValue'
      | 'maxValue'
      | 'step'
      | 'formatOptions'
    > {
  /** Unit after the number, such as "per hour". */
  readonly unit?: string;
}

/** A number with the separators of the language, changed by typing, arrow keys or the two small buttons. */
export function NumberField(props: NumberFieldProps) {
  return (
    <AriaNumberField {...props} {...fieldState(props)}>
      <FieldLabel {...props} />
      <Group className={`${classes.box} ${numberClasses.box}`}>
        <Input className={`${classes.input} ${numberClasses.input}`} />
        {props.unit === undefined ? null : <span className={classes.suffix}>{props.unit}</span>}
        <span className={numberClasses.steppers}>
          <Button className={numberClasses.stepper ?? ''} slot="increment">
            <Icon name="chevron-down" size={12} className={numberClasses.up} />
          </Button>
          <Button className={numberClasses.stepper ?? ''} slot="decrement">
            <Icon name="chevron-down" size={12} />
          </Button>
        </span>
      </Group>
      <FieldNotes {...props} />
    </AriaNumberField>
  );
}
