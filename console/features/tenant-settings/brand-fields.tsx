import type { schemas } from '../../../sdk/src/index.ts';
import { type FieldGroup, useField } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import { ColorField } from '../../ui/color-field.tsx';
import classes from './brand-fields.module.css';
import { BrandPreview } from './brand-preview.tsx';
import { languageName } from './settings-fields.ts';
import { texts } from './texts.ts';

const { translate } = texts;
/** Languages of the pages and mails to recipients. */
const LANGUAGES = ['en', 'ar', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt'];

/** Logo, colour and language of the tenant, with a preview of what the colour becomes. */
export function BrandFields({ form }: { readonly form: FieldGroup<schemas.BrandSettings> }) {
  const color = useField(form, 'primary_color');
  const { value: shown = '' } = color;
  return (
    <div className={classes.fields}>
      <FormField
        form={form}
        name="logo_url"
        label={translate('brand.logo')}
        help={translate('brand.logo.help')}
      />
      <ColorField
        {...color}
        label={translate('brand.color')}
        help={translate('brand.color.help')}
        value={shown}
      />
      <BrandPreview color={shown} />
      <FormField
        form={form}
        name="locale"
        label={translate('language')}
        help={translate('language.help')}
        options={languageOptions(form.value.locale)}
        {...(form.value.locale === undefined ? { noneTitle: translate('language.none') } : {})}
      />
    </div>
  );
}

/** The languages by their names. A stored one stays selectable even if pages have no texts in it. */
function languageOptions(stored: string | undefined) {
  const tags = stored === undefined || LANGUAGES.includes(stored) ? LANGUAGES : [...LANGUAGES, stored];
  return tags.map((tag) => ({ id: tag, title: languageName(tag) }));
}
