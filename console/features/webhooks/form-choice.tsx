import type { schemas } from '../../../sdk/src/index.ts';
import { type FieldGroup, useField } from '../../forms/field-group.ts';
import { useApi } from '../../session/session-context.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
/** Forms that the list shows at once. */
const SHOWN_FORMS = 20;

/** The form whose submissions are sent, found by its name. */
export function FormChoice({ form }: { readonly form: FieldGroup<schemas.WebhookEventInput> }) {
  const api = useApi();
  const { value, onChange, ...field } = useField(form, 'form_code');
  return (
    <ComboBox
      {...field}
      label={translate('form')}
      help={translate('form.help')}
      placeholder={translate('form.placeholder')}
      value={value === undefined || value === '' ? null : { id: value, title: value }}
      onChange={(option) => onChange(option?.id)}
      search={async (query, signal) => {
        const input = {
          limit: SHOWN_FORMS,
          sort: 'name',
          ...(query === '' ? {} : { search: query }),
        } as const;
        const { results } = await api.forms.list(input, { signal });
        return results.map(({ code, name }) => ({ id: code, title: name, description: code }));
      }}
    />
  );
}
