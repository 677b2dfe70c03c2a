import type { DraftFields } from '../../drafts/draft-fields.ts';
import { activeLocale } from '../../texts/texts.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** Returns how drafts show the settings. */
export function settingsFields(): DraftFields {
  return {
    name: { label: translate('name') },
    time_zone: { label: translate('zone') },
    session_hours: { label: translate('hours') },
    brand_settings: { label: translate('brand') },
    'brand_settings.logo_url': { label: translate('brand.logo') },
    'brand_settings.primary_color': { label: translate('brand.color') },
    'brand_settings.locale': { label: translate('language'), format: (tag) => languageName(String(tag)) },
  };
}

/** Returns the name of a language, such as "German" for `de`. */
export function languageName(tag: string): string {
  return new Intl.DisplayNames(activeLocale(), { type: 'language' }).of(tag) ?? tag;
}
