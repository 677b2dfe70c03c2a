import { lazy, Suspense } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { type FieldGroup, useField } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Preview } from './preview.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
// After the drawer: most of its code.
const ConditionBuilder = lazy(async () => ({
  default: (await import('./condition-builder.tsx')).ConditionBuilder,
}));

interface AudienceFormFieldsProps {
  readonly form: FieldGroup<schemas.AudienceReplace>;
  /** Unit of the audience; undefined for the usual one. */
  readonly unit: string | undefined;
}

/** The fields of an audience that a create and an update have in common. */
export function AudienceFormFields({ form, unit }: AudienceFormFieldsProps) {
  const { value, onChange, error, disabledReason } = useField(form, 'filters');
  const filters = value ?? null;
  return (
    <>
      <FormField form={form} name="name" label={translate('name')} autoFocus />
      <FormField form={form} name="description" label={translate('description')} isMultiline />
      <RadioGroup
        label={translate('members.choice')}
        value={filters === null ? 'manual' : 'computed'}
        options={[
          {
            id: 'computed',
            title: translate('members.computed'),
            description: translate('members.computed.help'),
          },
          { id: 'manual', title: translate('members.manual'), description: translate('members.manual.help') },
        ]}
        error={error}
        disabledReason={disabledReason}
        isReasonHidden
        onChange={(kind) => onChange(kind === 'manual' ? null : (value ?? {}))}
      />
      {filters === null || disabledReason !== undefined ? null : (
        <>
          <Suspense fallback={<Skeleton shape="fields" count={3} />}>
            <ConditionBuilder filters={filters} onChange={onChange} />
          </Suspense>
          <Preview filters={filters} unit={unit} />
        </>
      )}
    </>
  );
}
