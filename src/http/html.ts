/** HTML that is safe by construction: values in an `html` template are escaped unless they are HTML already. */

/** A piece of HTML. Only `html`, `scriptJson` and our own Markdown renderer create one. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** A value in a template: text is escaped, null is nothing, a list is concatenated. */
export type HtmlValue = Html | string | number | null | readonly HtmlValue[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Creates HTML from a template. Values are allowed only between tags and in quoted attributes. */
export function html(template: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: template }, ...values.map(toText)));
}

/** JSON for a script element, without any character that has a meaning in HTML, so that no text can end the element. */
export function scriptJson(value: unknown): Html {
  const json = JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return new Html(json);
}

function toText(value: HtmlValue): string {
  if (value === null) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(toText).join('');
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
