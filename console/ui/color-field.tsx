import { useState } from 'react';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import classes from './color-field.module.css';
import { FieldLabel, FieldNotes, type FieldProps, fieldState } from './field.tsx';
import inputClasses from './input.module.css';
import { uiTexts } from './texts.ts';

const HEX = /^#?([0-9a-f]{6})$/i;

interface ColorFieldProps extends FieldProps {
  /** `#rrggbb`. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A colour: typed as six hexadecimal digits or chosen with the system's picker. */
export function ColorField(props: ColorFieldProps) {
  const { value, onChange, label } = props;
  const [draft, setDraft] = useState<string | null>(null);
  const { translate } = uiTexts;
  const error = props.error ?? (draft === null ? null : translate('color.format'));
  const change = (text: string) => {
    const digits = HEX.exec(text.trim())?.[1];
    setDraft(digits === undefined ? text : null);
    if (digits !== undefined) onChange(`#${digits.toLowerCase()}`);
  };
  const state = fieldState({ ...props, error });
  return (
    <AriaTextField {...state} value={draft ?? value} onChange={change} spellCheck="false">
      <FieldLabel {...props} />
      <Group className={`${inputClasses.box} ${classes.box}`}>
        <input
          type="color"
          className={classes.swatch}
          aria-label={translate('color.choose', { label })}
          disabled={state.isDisabled}
          value={value}
          onChange={(event) => change(event.target.value)}
        />
        <Input className={`${inputClasses.input} ${inputClasses.mono}`} maxLength={7} dir="ltr" />
      </Group>
      <FieldNotes {...props} error={error} />
    </AriaTextField>
  );
}
