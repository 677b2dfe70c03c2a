import { getLocaleString } from 'survey-core';
import 'survey-core/i18n';

/** Returns SurveyJS's text of this name, with `{0}`, `{1}` replaced by the values. */
export type SurveyTexts = (name: string, ...values: readonly (string | number)[]) => string;

/** Returns SurveyJS's texts in a language, so that plain forms say the same; English as fallback. */
export function surveyTextsIn(locale: string): SurveyTexts {
  return (name, ...values) =>
    values.reduce<string>(
      (text, value, index) => text.replace(`{${index}}`, () => String(value)),
      getLocaleString(name, locale),
    );
}
