import type { schemas } from '../../../sdk/src/index.ts';
import { ColorField } from '../../ui/color-field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import classes from './brand-fields.module.css';
import { BrandPreview } from './brand-preview.tsx';
import { languageName } from './settings-fields.ts';
import { texts } from './texts.ts';

const { translate } = texts;
/** Languages of the pages and mails to recipients. */
const LANGUAGES = ['en', 'ar', 'de', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt'];

interface BrandFieldsProps {
  readonly value: schemas.BrandSettings;
  readonly onChange: (value: schemas.BrandSettings) => void;
  readonly errorOf: (field: keyof schemas.BrandSettings) => string | undefined;
  readonly disabledReason: string | undefined;
}

/** Logo, colour and language of the tenant, with a preview of what the colour becomes. */
export function BrandFields({ value, onChange, errorOf, disabledReason }: BrandFieldsProps) {
  const set = (changes: Partial<schemas.BrandSettings>) => onChange({ ...value, ...changes });
  return (
    <div className={classes.fields}>
      <TextField
        label={translate('brand.logo')}
        help={translate('brand.logo.help')}
        type="url"
        value={value.logo_url}
        onChange={(logo_url) => set({ logo_url })}
        error={errorOf('logo_url')}
        disabledReason={disabledReason}
      />
      <ColorField
        label={translate('brand.color')}
        help={translate('brand.color.help')}
        value={value.primary_color}
        onChange={(primary_color) => set({ primary_color })}
        error={errorOf('primary_color')}
        disabledReason={disabledReason}
      />
      <BrandPreview color={value.primary_color} />
      <Select
        label={translate('language')}
        help={translate('language.help')}
        value={value.locale ?? 'en'}
        onChange={(locale) => set({ locale })}
        error={errorOf('locale')}
        disabledReason={disabledReason}
        options={languageOptions(value.locale)}
      />
    </div>
  );
}

/** The languages by their names. A stored one stays selectable even if pages have no texts in it. */
function languageOptions(stored: string | undefined) {
  const tags = stored === undefined || LANGUAGES.includes(stored) ? LANGUAGES : [...LANGUAGES, stored];
  return tags.map((tag) => ({ id: tag, title: languageName(tag) }));
}
