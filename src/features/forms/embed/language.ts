import { acceptedLanguages, directionOf } from '../../../http/accepted-languages.ts';

/** Language of a form page. */
export interface PageLanguage {
  /** Language tag (RFC 5646), for the page's `lang`. */
  readonly tag: string;
  /** SurveyJS's name of the language, or the form's tag. */
  readonly locale: string;
  /** SurveyJS's name of the file with its texts; null for English and for languages without a file. */
  readonly textsFile: string | null;
  readonly direction: 'ltr' | 'rtl';
}

/** Minimum length that software must support (RFC 5646, 4.4.1). It limits the look-ups, one per part. */
const maxTagLength = 35;

/** Languages that SurveyJS names differently from RFC 5646. */
const surveyNames: Readonly<Record<string, string>> = {
  my: 'mm',
  nb: 'no',
  nn: 'no',
  te: 'tel',
  zh: 'zh-cn',
  'zh-hant': 'zh-tw',
  'zh-hk': 'zh-tw',
};

/** Returns SurveyJS's name of the closest available language; `en` is always available. */
function surveyLocale(tag: string, available: ReadonlySet<string>): string | null {
  const parts = tag.toLowerCase().split('-');
  for (let length = parts.length; length > 0; length -= 1) {
    const part = parts.slice(0, length).join('-');
    const name = surveyNames[part] ?? part;
    const found = name === 'en' ? name : [...available].find((locale) => locale.toLowerCase() === name);
    if (found !== undefined) return found;
  }
  return null;
}

function describe(tag: string, found: string | null): PageLanguage {
  const isDialect = found === null || tag.toLowerCase().startsWith(found.toLowerCase());
  return {
    tag,
    locale: isDialect ? tag : found,
    textsFile: found === 'en' ? null : found,
    direction: directionOf(tag),
  };
}

/**
 * Chooses the language of a form page: the one in its URL, else the form's own, else the browser's favorite for which
 * there are texts, else English.
 * @param available SurveyJS locales that have a built translation file, without English
 */
export function chooseLanguage(
  preferences: { readonly requested: string | undefined; readonly form: unknown; readonly accepted: string },
  available: ReadonlySet<string>,
): PageLanguage {
  const isTag = (tag: unknown): tag is string =>
    typeof tag === 'string' && tag.length <= maxTagLength && /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag);
  // A form may use a language for which nothing else has texts.
  const preferred = [preferences.requested, preferences.form].find(isTag);
  if (preferred !== undefined) return describe(preferred, surveyLocale(preferred, available));
  const acceptedTags = acceptedLanguages(preferences.accepted).filter(isTag);
  const tag = acceptedTags.find((candidate) => surveyLocale(candidate, available) !== null) ?? 'en';
  return describe(tag, surveyLocale(tag, available));
}
