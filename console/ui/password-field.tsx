import { useState } from 'react';
import { Button } from 'react-aria-components/Button';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { FieldLabel, FieldNotes, type FieldProps, fieldState } from './field.tsx';
import { Icon } from './icon.tsx';
import classes from './input.module.css';
import type { TextInputProps } from './text-field.tsx';
import { uiTexts } from './texts.ts';
import { Tooltip } from './tooltip.tsx';

interface PasswordFieldProps extends FieldProps, TextInputProps {
  /** Tells password managers to fill in a password, to suggest one, or to leave a secret of another kind alone. */
  readonly autoComplete: 'current-password' | 'new-password' | 'off';
}

/** A password, which can be shown, pasted and filled in by a password manager. */
export function PasswordField(props: PasswordFieldProps) {
  const [isVisible, setVisible] = useState(false);
  const toggle = uiTexts.translate(isVisible ? 'password.hide' : 'password.show');
  return (
    <AriaTextField
      {...props}
      {...fieldState(props)}
      type={isVisible ? 'text' : 'password'}
      spellCheck="false"
    >
      <FieldLabel {...props} />
      <Group className={classes.box ?? ''}>
        <Input className={classes.input ?? ''} autoCapitalize="none" />
        <Tooltip text={toggle}>
          <Button className={classes.action ?? ''} aria-label={toggle} onPress={() => setVisible(!isVisible)}>
            <Icon name={isVisible ? 'eye-off' : 'eye'} />
          </Button>
        </Tooltip>
      </Group>
      <FieldNotes {...props} />
    </AriaTextField>
  );
}
