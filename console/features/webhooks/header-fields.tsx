import type { schemas } from '../../../sdk/src/index.ts';
import { type FieldGroup, useField } from '../../forms/field-group.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import classes from './header-fields.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

type Header = schemas.WebhookHeaderInput;

interface HeaderFieldsProps {
  readonly form: FieldGroup<schemas.WebhookTargetInput>;
  /** Names of secret headers whose value the server has. */
  readonly stored: readonly string[];
}

/** Headers that are sent with each request. */
export function HeaderFields({ form, stored }: HeaderFieldsProps) {
  const { value: headers = [], onChange, error, disabledReason } = useField(form, 'headers');
  const isDisabled = disabledReason !== undefined;
  const replace = (index: number, header: Header) => onChange(headers.with(index, header));
  return (
    <fieldset className={classes.headers} data-invalid={error === undefined ? undefined : true}>
      <legend className={classes.legend}>{translate('headers')}</legend>
      <p className={classes.help}>{translate('headers.help')}</p>
      {Array.from(headers.entries(), ([index, header]) => (
        <HeaderField
          key={index}
          number={index + 1}
          header={header}
          isStored={stored.includes(header.name)}
          disabledReason={disabledReason}
          onChange={(next) => replace(index, next)}
          onRemove={() => onChange(headers.toSpliced(index, 1))}
        />
      ))}
      {error === undefined ? null : (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
      <Button
        size="small"
        icon="plus"
        isDisabled={isDisabled}
        onPress={() => onChange([...headers, { name: '', value: '', is_secret: false }])}
      >
        {translate('header.add')}
      </Button>
    </fieldset>
  );
}

interface HeaderFieldProps {
  readonly number: number;
  readonly header: Header;
  readonly isStored: boolean;
  readonly disabledReason: string | undefined;
  readonly onChange: (header: Header) => void;
  readonly onRemove: () => void;
}

function HeaderField({ number, header, isStored, disabledReason, onChange, onRemove }: HeaderFieldProps) {
  const { name, value, is_secret: isSecret = false } = header;
  const field = { disabledReason, isReasonHidden: true } as const;
  const isKept = isSecret && isStored;
  // A secret that is not replaced must not be sent: an empty value would replace it.
  const setValue = (text: string) => onChange({ ...header, value: text === '' && isKept ? undefined : text });
  return (
    <fieldset className={classes.header}>
      <legend className="visually-hidden">{translate('header.of', { number })}</legend>
      <TextField
        {...field}
        label={translate('header.name')}
        value={name}
        onChange={(text) => onChange({ ...header, name: text })}
        isMono
        spellCheck="false"
      />
      <TextField
        {...field}
        label={translate('header.value')}
        value={value ?? ''}
        onChange={setValue}
        type={isSecret ? 'password' : 'text'}
        autoComplete="off"
        placeholder={isKept ? translate('header.kept') : ''}
        isMono
        spellCheck="false"
      />
      <div className={classes.options}>
        <Checkbox
          {...field}
          label={translate('header.secret')}
          isSelected={isSecret}
          onChange={(isOn) => onChange({ ...header, is_secret: isOn, value: value ?? '' })}
        />
        <IconButton
          icon="trash"
          size="small"
          label={translate('header.remove', { name: name === '' ? number : name })}
          isDisabled={disabledReason !== undefined}
          onPress={onRemove}
        />
      </div>
    </fieldset>
  );
}
