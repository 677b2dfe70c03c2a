import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import classes from './add-type.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

interface AddTypeProps {
  readonly isDisabled: boolean;
  readonly onAdd: (name: string) => void;
}

/** The line that adds a type by its name. */
export function AddType({ isDisabled, onAdd }: AddTypeProps) {
  const [name, setName] = useState('');
  const [isMissing, setMissing] = useState(false);
  const add = () => {
    setMissing(name.trim() === '');
    if (name.trim() === '') return;
    onAdd(name.trim());
    setName('');
  };
  return (
    <div className={classes.line}>
      <TextField
        label={translate('add.name')}
        placeholder={translate('add.placeholder')}
        value={name}
        onChange={(next) => {
          setName(next);
          setMissing(false);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Otherwise it would send the form around it.
          event.preventDefault();
          add();
        }}
        maxLength={200}
        isDisabled={isDisabled}
        error={isMissing ? translate('add.missing') : null}
      />
      <Button icon="plus" isDisabled={isDisabled} onPress={add}>
        {translate('add')}
      </Button>
    </div>
  );
}
