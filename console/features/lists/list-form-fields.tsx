import type { schemas } from '../../../sdk/src/index.ts';
import type { FieldGroup } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** The fields of a list that a create and an update have in common. */
export function ListFormFields({ form }: { readonly form: FieldGroup<schemas.ListReplace> }) {
  return (
    <>
      <FormField form={form} name="name" label={translate('name')} autoFocus />
      <FormField
        form={form}
        name="description"
        label={translate('description')}
        help={translate('description.help')}
        isMultiline
      />
    </>
  );
}
