import { getLocaleString } from 'survey-core';
import 'survey-core/i18n';

/** SurveyJS's text of a name in a language, with what its places `{0}`, `{1}` stand for. */
export type SurveyTexts = (name: string, ...values: readonly (string | number)[]) => string;

/** The texts that SurveyJS speaks in a language, so that a form says the same whoever plays it; English where it has none. */
export function surveyTextsIn(locale: string): SurveyTexts {
  return (name, ...values) =>
    values.reduce<string>(
      (text, value, place) => text.replace(`{${place}}`, () => String(value)),
      getLocaleString(name, locale),
    );
}
