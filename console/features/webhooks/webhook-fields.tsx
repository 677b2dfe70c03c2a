import type { schemas } from '../../../sdk/src/index.ts';
import { type FieldGroup, groupAt } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import { JsonField } from '../../forms/json-field.tsx';
import { HeaderFields } from './header-fields.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface WebhookFieldsProps {
  readonly form: FieldGroup<
    Pick<schemas.WebhookReplace, 'target' | 'signing_secret' | 'active' | 'test_data'>
  >;
  /** Names of secret headers whose value the server has. */
  readonly storedHeaders?: readonly string[];
}

/** The address that gets the submissions, and what is sent along. */
export function WebhookFields({ form, storedHeaders = [] }: WebhookFieldsProps) {
  const target = groupAt(form, 'target');
  return (
    <>
      <FormField
        form={target}
        name="url"
        label={translate('url')}
        help={translate('url.help')}
        placeholder="https://"
        isMono
      />
      <HeaderFields form={target} stored={storedHeaders} />
      <FormField
        form={form}
        name="signing_secret"
        label={translate('signing')}
        help={translate('signing.help')}
        keptText={translate('signing.kept')}
      />
      <JsonField
        form={form}
        name="test_data"
        label={translate('test-data')}
        help={translate('test-data.help')}
      />
      <FormField form={form} name="active" label={translate('active')} help={translate('active.help')} />
    </>
  );
}
