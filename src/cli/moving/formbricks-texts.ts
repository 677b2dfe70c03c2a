/** Texts of forms from texts of Formbricks, which may have languages, HTML and earlier answers in them. */
import { convert } from 'html-to-text';
import type { FormbricksSurvey, LocalText } from './formbricks-survey.ts';

/** Languages whose region or script SurveyJS distinguishes. */
const WITH_REGION = ['pt-br', 'zh-cn', 'zh-tw'];
const SCRIPTS: Readonly<Record<string, string>> = { 'zh-hans': 'zh-cn', 'zh-hant': 'zh-tw' };
const RECALL = /#recall:([\w-]+)\/fallback:(.*?)#/g;

/** A text, or texts by language. */
export type FormText = string | Record<string, string>;

type GivenText = LocalText | null | undefined;

/** Parts of a message. */
export interface MessageParts {
  readonly title: GivenText;
  readonly text: GivenText;
  readonly link?: string | undefined;
  readonly linkText: GivenText;
}

/** Converts the texts of one survey. */
export class SurveyTexts {
  /** The survey's own language; undefined if it does not name it. */
  readonly ownLanguage: string | undefined;
  /** Questions whose answers may be shown in texts. */
  readonly #questions: ReadonlySet<string>;
  readonly #onLostAnswer: (name: string) => void;

  /** `onLostAnswer` is called for hidden fields and variables in texts. */
  constructor(
    { languages }: FormbricksSurvey,
    questions: readonly string[],
    onLostAnswer: (name: string) => void,
  ) {
    const own = languages?.find((each) => each.default === true);
    const code = own?.code ?? own?.language?.code;
    this.ownLanguage = code === undefined ? undefined : toLocale(code);
    this.#questions = new Set(questions);
    this.#onLostAnswer = onLostAnswer;
  }

  /** Returns the text without HTML, by language if there are several; undefined if it is empty. */
  plain(text: GivenText): FormText | undefined {
    return this.#convert(text, (html) =>
      html.includes('<') ? convert(html, { wordwrap: false }).trim() : html.trim(),
    );
  }

  /** Returns a message as HTML, by language if there are several. */
  message({ title, text, link, linkText }: MessageParts): FormText {
    const [heading, body] = [title, text].map((each) => this.#convert(each, (html) => html.trim()));
    const label = this.plain(linkText);
    const given = [heading, body, label];
    const languages = given.flatMap((each) => (typeof each === 'object' ? Object.keys(each) : []));
    const build = (language: string) => {
      const [h = '', b = '', l = ''] = given.map((each) => inLanguage(each, language));
      const target = link === undefined ? '' : `<p><a href="${toHtml(link)}">${toHtml(l || link)}</a></p>`;
      return `${h === '' ? '' : `<h4>${h}</h4>`}${b}${target}`;
    };
    if (languages.length === 0) return build('default');
    return Object.fromEntries(['default', ...languages].map((language) => [language, build(language)]));
  }

  /** Returns the text without HTML in the survey's own language. */
  own(text: GivenText): string {
    const plain = this.plain(text) ?? '';
    return typeof plain === 'string' ? plain : (plain.default ?? '');
  }

  #convert(text: GivenText, convertOne: (text: string) => string): FormText | undefined {
    const texts = typeof text === 'string' ? { default: text } : (text ?? {});
    const converted: Record<string, string> = {};
    for (const [language, each] of Object.entries(texts)) {
      const value = convertOne(this.#withAnswers(each));
      if (value !== '') converted[language === 'default' ? language : toLocale(language)] ??= value;
    }
    const { default: own, ...others } = converted;
    if (own === undefined) return undefined;
    if (Object.keys(others).length === 0) return own;
    // Without an entry for the survey's own language, SurveyJS would use the texts of another language.
    return this.ownLanguage === undefined ? converted : { default: own, ...others, [this.ownLanguage]: own };
  }

  #withAnswers(text: string): string {
    return text.replaceAll(RECALL, (_whole, name: string, fallback: string) => {
      if (this.#questions.has(name)) return `{${name}}`;
      this.#onLostAnswer(name);
      return fallback.replaceAll('nbsp', ' ');
    });
  }
}

function inLanguage(text: FormText | undefined, language: string): string {
  return typeof text === 'object' ? (text[language] ?? text.default ?? '') : (text ?? '');
}

function toHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** Returns SurveyJS's name of a language. */
export function toLocale(code: string): string {
  const tag = code.toLowerCase();
  const name = SCRIPTS[tag] ?? tag;
  return WITH_REGION.includes(name) ? name : (name.split('-')[0] ?? name);
}
