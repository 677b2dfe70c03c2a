import { type ShjLanguageData, type ShjToken, tokenize } from '@speed-highlight/core';
import { Html, html } from '../../../src/http/html.ts';

/** Rules for shell strings over several lines, such as bodies in `-d '…'`. The built-in rules end at the line's end. */
const SHELL: ShjLanguageData = {
  sub: [
    { type: 'cmnt', match: /(?<=^|\s)#.*/gm },
    { type: 'str', match: /'[^']*'/g },
    { type: 'str', match: /"(?:\\[\s\S]|[^"\\])*"/g },
    {
      type: 'kwd',
      match: /(?<![\w.-])(?:case|do|done|echo|esac|export|fi|for|if|in|local|return|then|until|while)\b/g,
    },
  ],
};

/** Highlighter languages by language of a code block. Others are shown as plain text. */
const LANGUAGES: Readonly<Record<string, string | ShjLanguageData>> = {
  bash: SHELL,
  env: 'ini',
  html: 'html',
  http: 'http',
  js: 'js',
  json: 'json',
  python: 'py',
  sh: SHELL,
  sql: 'sql',
  ts: 'ts',
  yaml: 'yaml',
};

/** Tokens that get a colour, and the class for it. Few colours read better than many. */
const CLASSES: Partial<Record<ShjToken, string>> = {
  bool: 'number',
  cmnt: 'comment',
  esc: 'string',
  kwd: 'keyword',
  num: 'number',
  section: 'keyword',
  str: 'string',
  type: 'keyword',
};

/** Returns HTML of code with its tokens in spans. */
export async function highlight(code: string, fence: string): Promise<Html> {
  const language = LANGUAGES[fence];
  if (language === undefined) return html`${code}`;
  let out = '';
  await tokenize(code, language, (text, type) => {
    const name = type ? CLASSES[type] : undefined;
    out += name === undefined ? html`${text}` : html`<span class="${name}">${text}</span>`;
  });
  return new Html(out);
}
