import { acceptedLanguages, directionOf } from '../../../http/accepted-languages.ts';

/** The language of a form page. */
export interface PageLanguage {
  /** A language tag (RFC 5646), for the page's `lang`. */
  readonly tag: string;
  /** What SurveyJS is told: its own name of the language, or the form's. */
  readonly locale: string;
  /** SurveyJS's name of the file with its texts; null for English, which needs none, and where it has none. */
  readonly textsFile: string | null;
  readonly direction: 'ltr' | 'rtl';
}

/** What software must have room for is enough (RFC 5646, 4.4.1); parts are looked up one by one. */
const longestTag = 35;

/** Where SurveyJS names a language by another code than RFC 5646 has. */
const surveyNames: Readonly<Record<string, string>> = {
  my: 'mm',
  nb: 'no',
  nn: 'no',
  te: 'tel',
  zh: 'zh-cn',
  'zh-hant': 'zh-tw',
  'zh-hk': 'zh-tw',
};

/** SurveyJS's name of the nearest language it has; `en` is always there. */
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
 * The language a form is shown in: the one its address asks for, else the form's own, else the one that the visitor's
 * browser wants most among those there are texts for, else English.
 *
 * @param available SurveyJS's names of the languages whose texts were built, English left out
 */
export function chooseLanguage(
  wishes: { readonly asked: string | undefined; readonly form: unknown; readonly accepted: string },
  available: ReadonlySet<string>,
): PageLanguage {
  const isTag = (tag: unknown): tag is string =>
    typeof tag === 'string' && tag.length <= longestTag && /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag);
  // A form may be written in a language for which there is nothing else.
  const named = [wishes.asked, wishes.form].find(isTag);
  if (named !== undefined) return describe(named, surveyLocale(named, available));
  const wanted = acceptedLanguages(wishes.accepted).filter(isTag);
  const tag = wanted.find((candidate) => surveyLocale(candidate, available) !== null) ?? 'en';
  return describe(tag, surveyLocale(tag, available));
}
