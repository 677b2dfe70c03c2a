import { useMembership, useUnit } from '../session/session-context.tsx';
import { Select } from '../ui/select.tsx';
import { type FieldGroup, useField } from './field-group.ts';
import { formTexts } from './texts.ts';

interface UnitFieldProps {
  readonly form: FieldGroup<{ business_unit?: string | null | undefined }>;
}

/** Asks which unit owns a new record, if the user has several and the URL names none. */
export function UnitField({ form }: UnitFieldProps) {
  const { units, default_business_unit_id: usual } = useMembership();
  const unit = useUnit();
  const { value, ...field } = useField(form, 'business_unit');
  if (unit !== null || units.length < 2) return null;
  const owner = units.find(({ bu_id }) => bu_id === (value ?? usual));
  return (
    <Select
      {...field}
      isRequired={owner === undefined}
      label={formTexts.translate('unit')}
      help={formTexts.translate('unit.help')}
      value={owner?.bu_id ?? null}
      onChange={field.onChange}
      options={units.map(({ bu_id, name }) => ({ id: bu_id, title: name }))}
    />
  );
}
