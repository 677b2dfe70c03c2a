import { getLocaleString } from 'survey-core';
import 'survey-core/i18n';

/** Returns SurveyJS's text of this name, with `{0}`, `{1}` replaced by the values. */
export type SurveyTexts = (name: string, ...values: readonly (string | number)[]) => string;

/** Returns a lookup of SurveyJS's texts in a language, with English as fallback. Plain forms show these texts, too. */
export function surveyTextsIn(locale: string): SurveyTexts {
  return (name, ...values) =>
    values.reduce<string>(
      (text, value, index) => text.replace(`{${index}}`, () => String(value)),
      getLocaleString(name, locale),
    );
}
