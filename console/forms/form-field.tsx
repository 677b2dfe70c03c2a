import type { ReactNode } from 'react';
import { Checkbox } from '../ui/checkbox.tsx';
import { CheckboxGroup } from '../ui/checkbox-group.tsx';
import { NumberField } from '../ui/number-field.tsx';
import type { Option } from '../ui/option.ts';
import { PasswordField } from '../ui/password-field.tsx';
import { Select } from '../ui/select.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { type FieldGroup, schemaOf, useFieldState } from './field-group.ts';
import type { FieldSchema } from './operation.ts';
import { SecretInput } from './secret-input.tsx';

interface FormFieldProps<Value extends object> {
  readonly form: FieldGroup<Value>;
  /** Name of the member of the request. */
  readonly name: keyof Value & string;
  readonly label: string;
  readonly help?: ReactNode;
  /** The error for a value in another format: "Must be lowercase letters and digits". */
  readonly formatText?: string;
  /** Links or small buttons below an error, with which the user can go on. */
  readonly errorActions?: ReactNode;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  readonly autoComplete?: 'current-password' | 'new-password' | 'off';
  /** Titles of the allowed values. */
  readonly options?: readonly Option[];
  /** Title of having no value, for choices that may be empty. */
  readonly noneTitle?: string;
  readonly isMultiline?: boolean;
  readonly isMono?: boolean;
  /** Unit after a number. */
  readonly unit?: string;
  /** The server has a value of this secret. Default: true for updates that do not require the secret. */
  readonly isStored?: boolean;
  /** True if the API requires the field by a rule that its schema does not state. */
  readonly isRequired?: boolean;
  /** Shown while a stored secret is kept, if the screen does not know whether there is one. */
  readonly keptText?: string;
}

/** Id of the option for no value. */
const NONE = '';

/**
 * A field of a form. The API says what it takes, whether it is required and what it is limited to. Fields that need
 * another component use `useField`.
 */
export function FormField<Value extends object>(props: FormFieldProps<Value>) {
  const { form, name, formatText, isStored: isSaid, ...settings } = props;
  const schema = schemaOf(form, name);
  const isStored = isSaid ?? (form.isUpdate && !schema.isRequired);
  const { set, ...state } = useFieldState(form, name, formatText);
  const value: unknown = form.value[name];
  const setText = (text: string) => set(text === '' ? emptyOf(schema, form.isUpdate) : text);
  const field: FieldViewProps = { ...state, ...settings, value, set, setText, schema };
  if (settings.options !== undefined || schema.kind === 'choice') return <ChoiceField {...field} />;
  if (schema.isSecret && isStored)
    return (
      <SecretInput
        {...field}
        value={value === null || typeof value === 'string' ? value : undefined}
        onChange={set}
        isRemovable={schema.isNullable === true}
      />
    );
  if (schema.kind === 'text') return <LineField {...field} />;
  if (schema.kind === 'number')
    return (
      <NumberField
        {...field}
        value={typeof value === 'number' ? value : Number.NaN}
        onChange={(next) => set(Number.isNaN(next) ? emptyNumberOf(schema) : next)}
      />
    );
  if (schema.kind === 'boolean')
    return <Checkbox {...field} value="" isSelected={value === true} onChange={set} isRequired={false} />;
  throw new Error(`"${form.place}${name}" needs a component of its own: use useField`);
}

/** Properties shared by the components of all kinds. */
interface FieldViewProps extends Omit<FormFieldProps<object>, 'form' | 'name' | 'isStored' | 'formatText'> {
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly set: (value: unknown) => void;
  readonly setText: (text: string) => void;
  readonly error: string | undefined;
  readonly isRequired: boolean;
  readonly disabledReason: string | undefined;
  readonly isReasonHidden: boolean;
}

function LineField({
  schema,
  isMultiline = false,
  autoComplete,
  value,
  setText,
  set: _,
  ...field
}: FieldViewProps) {
  const common = { ...field, value: typeof value === 'string' ? value : '', onChange: setText };
  if (schema.isSecret || autoComplete !== undefined)
    return <PasswordField {...common} autoComplete={autoComplete ?? 'off'} />;
  if (isMultiline) return <TextArea {...common} />;
  return <TextField {...common} {...inputOf(schema)} />;
}

function ChoiceField({ schema, options = [], noneTitle, value, set, ...field }: FieldViewProps) {
  const common = { label: field.label, help: field.help, error: field.error, isRequired: field.isRequired };
  const state = { ...common, disabledReason: field.disabledReason, isReasonHidden: field.isReasonHidden };
  if (schema.kind === 'list')
    return (
      <CheckboxGroup {...state} value={Array.isArray(value) ? value.map(String) : []} onChange={set}>
        {options.map(({ id, title }) => (
          <Checkbox key={id} value={id} label={title} />
        ))}
      </CheckboxGroup>
    );
  const none = noneTitle === undefined ? [] : [{ id: NONE, title: noneTitle }];
  return (
    <Select
      {...state}
      value={typeof value === 'string' ? value : noneTitle === undefined ? null : NONE}
      onChange={(id) => set(id === NONE ? (schema.isNullable ? null : undefined) : id)}
      options={[...none, ...options]}
    />
  );
}

/** Returns the kind of input for a text: for keyboards of phones and password managers. It refuses nothing. */
function inputOf({ format }: FieldSchema) {
  if (format === 'email') return { type: 'email', autoComplete: 'email' } as const;
  if (format === 'uri' || format === 'uri-reference') return { type: 'url' } as const;
  return {};
}

/** Returns what is sent for an empty input. Left out of an update, a member would keep its stored value. */
function emptyOf({ isNullable, isRequired }: FieldSchema, isUpdate: boolean): '' | null | undefined {
  if (isNullable) return null;
  return isRequired || isUpdate ? '' : undefined;
}

function emptyNumberOf({ isNullable }: FieldSchema): null | undefined {
  return isNullable ? null : undefined;
}
