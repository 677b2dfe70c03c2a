import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { useEmailSettings } from '../../email-settings/use-email-settings.ts';
import { type FieldGroup, useField } from '../../forms/field-group.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import classes from './custom-fields.module.css';
import { texts } from './texts.ts';

const { translate } = texts;
/** Names of fields, as the API allows them. */
const NAME = /^[A-Za-z0-9_]{1,64}$/;

type Value = string | number | boolean;
type Values = Readonly<Record<string, Value>>;

interface CustomField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'number' | 'boolean';
}

interface CustomFieldsProps {
  readonly form: FieldGroup<{ additional_fields_data?: Record<string, Value> | null | undefined }>;
}

/** The additional fields of a subscriber: those that the tenant has defined, and others that it has. */
export function CustomFields({ form }: CustomFieldsProps) {
  const { value, error, disabledReason } = useField(form, 'additional_fields_data');
  const { data: settings } = useEmailSettings();
  const [added, setAdded] = useState<readonly string[]>([]);
  const values: Values = value ?? {};
  const fields = fieldsOf(
    settings?.subscriber_additional_fields ?? {},
    [...Object.keys(values), ...added],
    values,
  );
  const set = (name: string, next: Value | undefined) => {
    form.forget('additional_fields_data');
    form.change(({ additional_fields_data: current }) => {
      const { [name]: _, ...others } = current ?? {};
      return { additional_fields_data: next === undefined ? others : { ...current, [name]: next } };
    });
  };
  return (
    <fieldset className={classes.fields} data-invalid={error === undefined ? undefined : true}>
      <legend className={classes.legend}>{translate('fields')}</legend>
      {fields.map((field) => (
        <CustomFieldInput
          key={field.name}
          field={field}
          value={values[field.name]}
          disabledReason={disabledReason}
          onChange={(next) => set(field.name, next)}
        />
      ))}
      {error === undefined ? null : (
        <p className={classes.error} role="alert">
          {error}
        </p>
      )}
      <AddField
        isDisabled={disabledReason !== undefined}
        names={fields.map(({ name }) => name)}
        onAdd={(name) => setAdded([...added, name])}
      />
    </fieldset>
  );
}

interface CustomFieldInputProps {
  readonly field: CustomField;
  readonly value: Value | undefined;
  readonly disabledReason: string | undefined;
  /** Undefined removes the value. */
  readonly onChange: (value: Value | undefined) => void;
}

function CustomFieldInput({ field, value, disabledReason, onChange }: CustomFieldInputProps) {
  const { label, kind } = field;
  const common = { label, disabledReason, isReasonHidden: true };
  if (kind === 'boolean') return <Checkbox {...common} isSelected={value === true} onChange={onChange} />;
  if (kind === 'number')
    return (
      <NumberField
        {...common}
        value={typeof value === 'number' ? value : Number.NaN}
        formatOptions={{ maximumFractionDigits: 10 }}
        onChange={(next) => onChange(Number.isNaN(next) ? undefined : next)}
      />
    );
  return (
    <TextField
      {...common}
      value={value === undefined ? '' : String(value)}
      onChange={(next) => onChange(next === '' ? undefined : next)}
    />
  );
}

interface AddFieldProps {
  readonly isDisabled: boolean;
  /** Names that exist already. */
  readonly names: readonly string[];
  readonly onAdd: (name: string) => void;
}

/** Adds a field that has no definition, by its name. */
function AddField({ isDisabled, names, onAdd }: AddFieldProps) {
  const [name, setName] = useState<string | null>(null);
  if (name === null)
    return (
      <Button size="small" icon="plus" isDisabled={isDisabled} onPress={() => setName('')}>
        {translate('field.add')}
      </Button>
    );
  const fault = names.includes(name) ? 'field.exists' : NAME.test(name) ? null : 'field.format';
  const add = () => {
    if (fault !== null) return;
    onAdd(name);
    setName(null);
  };
  return (
    <div className={classes.add}>
      <TextField
        label={translate('field.name')}
        value={name}
        onChange={setName}
        error={name === '' || fault === null ? undefined : translate(fault)}
        help={translate('field.format')}
        autoFocus
        isMono
        spellCheck="false"
        // Enter would send the form.
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          add();
        }}
      />
      <Button isDisabled={fault !== null} onPress={add}>
        {translate('field.add.action')}
      </Button>
    </div>
  );
}

/** Returns the fields in the order of their definitions; those without one follow by name. */
function fieldsOf(
  definitions: Readonly<Record<string, schemas.AdditionalField>>,
  names: readonly string[],
  values: Values,
): CustomField[] {
  const defined = Object.entries(definitions)
    .toSorted(([, one], [, other]) => one.order - other.order)
    .map(([name, { label, type }]) => ({ name, label, kind: kindOf(type) }));
  const others = [...new Set(names)].filter((name) => !(name in definitions)).toSorted();
  return [...defined, ...others.map((name) => ({ name, label: name, kind: kindOf(typeof values[name]) }))];
}

function kindOf(type: string): CustomField['kind'] {
  return type === 'number' || type === 'boolean' ? type : 'text';
}
