import type { schemas } from '../../../sdk/src/index.ts';
import type { FieldGroup } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import { CustomFields } from './custom-fields.tsx';
import { ListChoice } from './list-choice.tsx';
import type { TakenAddress } from './taken-address.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface SubscriberFormFieldsProps {
  readonly form: FieldGroup<schemas.SubscriberReplace>;
  readonly taken: TakenAddress;
}

/** The fields of a subscriber that a create and an update have in common. */
export function SubscriberFormFields({ form, taken }: SubscriberFormFieldsProps) {
  return (
    <>
      <FormField form={form} name="email" label={translate('email')} autoFocus errorActions={taken.action} />
      <FormField form={form} name="first_name" label={translate('first-name')} />
      <FormField form={form} name="last_name" label={translate('last-name')} />
      <ListChoice form={form} />
      <CustomFields form={form} />
      <FormField form={form} name="active" label={translate('active')} help={translate('active.help')} />
      {form.value.active === false ? (
        <FormField
          form={form}
          name="inactive_reason"
          label={translate('reason')}
          help={translate('reason.help')}
          isRequired
        />
      ) : null}
    </>
  );
}
