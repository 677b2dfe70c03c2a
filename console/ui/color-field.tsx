import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import classes from './color-field.module.css';
import { FieldLabel, FieldNotes, type FieldProps, fieldState } from './field.tsx';
import inputClasses from './input.module.css';
import { uiTexts } from './texts.ts';

/** Six digits with or without the sign. */
const DIGITS = /^#?([0-9a-f]{6})$/i;

interface ColorFieldProps extends FieldProps {
  /** As it was typed: usually `#rrggbb`; empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A colour: typed, or chosen with the system's picker. Six hexadecimal digits get their `#`. */
export function ColorField(props: ColorFieldProps) {
  const { value, onChange, label } = props;
  const digits = DIGITS.exec(value.trim())?.[1];
  const change = (text: string) => {
    const typed = DIGITS.exec(text.trim())?.[1];
    onChange(typed === undefined ? text : `#${typed.toLowerCase()}`);
  };
  const state = fieldState(props);
  return (
    <AriaTextField {...state} value={value} onChange={change} spellCheck="false">
      <FieldLabel {...props} />
      <Group className={`${inputClasses.box} ${classes.box}`}>
        <input
          type="color"
          className={classes.swatch}
          aria-label={uiTexts.translate('color.choose', { label })}
          disabled={state.isDisabled}
          data-empty={digits === undefined || undefined}
          value={digits === undefined ? '#ffffff' : `#${digits}`}
          onChange={(event) => change(event.target.value)}
        />
        <Input className={`${inputClasses.input} ${inputClasses.mono}`} dir="ltr" />
      </Group>
      <FieldNotes {...props} />
    </AriaTextField>
  );
}
