/** Follows HTML text closely enough to know what a value written at its end would be part of. */

/** Where a value would stand: text, a quoted attribute, an unquoted one, or the query of a link's address. */
export type ValueContext = 'text' | 'quoted' | 'unquoted' | 'query';

type State =
  | 'text'
  | 'less-than'
  | 'tag-name'
  | 'comment'
  | 'in-tag'
  | 'attribute-name'
  | 'before-value'
  | 'quoted'
  | 'unquoted';

/** A place in an HTML text. */
export interface HtmlPlace {
  readonly state: State;
  readonly tag: string;
  /** The element whose content is text up to its end tag (`style`), or ''. */
  readonly rawElement: string;
  readonly attribute: string;
  readonly quote: string;
  /** Whether an address has come to its query. */
  readonly isQuery: boolean;
}

/** The beginning of a text. */
export const HTML_START: HtmlPlace = {
  state: 'text',
  tag: '',
  rawElement: '',
  attribute: '',
  quote: '',
  isQuery: false,
};

/** Elements whose content is no markup, and what ends them. */
const RAW_ELEMENTS: ReadonlyMap<string, RegExp> = new Map(
  ['style', 'script', 'title', 'textarea'].map((name) => [name, new RegExp(`</${name}`, 'i')]),
);
/** Attributes whose value is an address. */
const ADDRESS_ATTRIBUTES = new Set(['href', 'src']);

/** The place after `text`. */
export function afterText(place: HtmlPlace, text: string): HtmlPlace {
  const at = { ...place };
  let index = 0;
  while (index < text.length) index = step(at, text, index);
  return at;
}

/** The place after a value: one that begins an unquoted attribute is in it. */
export function afterValue(place: HtmlPlace): HtmlPlace {
  if (place.state === 'before-value') return { ...place, state: 'unquoted', isQuery: false };
  return place.state === 'less-than' ? { ...place, state: 'tag-name' } : place;
}

/** What a value at this place is part of. */
export function contextAt({ state, attribute, isQuery }: HtmlPlace): ValueContext {
  if (state === 'text' || state === 'comment') return 'text';
  if (state !== 'quoted' && state !== 'unquoted') return 'unquoted';
  return isQuery && ADDRESS_ATTRIBUTES.has(attribute) ? 'query' : state;
}

/** Whether a mark at this place stands between elements, where it is a word of the text. */
export function isBetweenElements({ state, rawElement }: HtmlPlace): boolean {
  return state === 'text' && rawElement === '';
}

type Mutable = { -readonly [Key in keyof HtmlPlace]: HtmlPlace[Key] };

/** Reads from `index` on and returns where to go on. */
function step(at: Mutable, text: string, index: number): number {
  switch (at.state) {
    case 'text':
      return stepText(at, text, index);
    case 'comment': {
      const end = text.indexOf('-->', index);
      if (end < 0) return text.length;
      at.state = 'text';
      return end + 3;
    }
    case 'quoted':
      return stepQuoted(at, text, index);
    default:
      return stepTag(at, text, index);
  }
}

function stepText(at: Mutable, text: string, index: number): number {
  const end = RAW_ELEMENTS.get(at.rawElement);
  if (end !== undefined) {
    const length = text.slice(index).search(end);
    if (length < 0) return text.length;
    at.rawElement = '';
    return stepText(at, text, index + length);
  }
  const found = text.indexOf('<', index);
  if (found < 0) return text.length;
  const isComment = text.startsWith('<!--', found);
  at.state = isComment ? 'comment' : 'less-than';
  return found + (isComment ? 4 : 1);
}

function stepQuoted(at: Mutable, text: string, index: number): number {
  const end = text.indexOf(at.quote, index);
  at.isQuery ||= /[?&]/.test(text.slice(index, end < 0 ? undefined : end));
  if (end < 0) return text.length;
  at.state = 'in-tag';
  return end + 1;
}

function stepTag(at: Mutable, text: string, index: number): number {
  const character = text[index] ?? '';
  if (at.state === 'less-than') {
    const isTag = /[a-z/!?]/i.test(character);
    at.state = isTag ? 'tag-name' : 'text';
    at.tag = character.toLowerCase();
    return isTag ? index + 1 : index;
  }
  if (character === '>') {
    at.state = 'text';
    at.rawElement = RAW_ELEMENTS.has(at.tag) ? at.tag : '';
  } else if (at.state === 'before-value') beginValue(at, character);
  else if (/\s/.test(character) || (character === '/' && at.state !== 'unquoted')) at.state = 'in-tag';
  else if (at.state === 'tag-name') at.tag += character.toLowerCase();
  else if (at.state === 'unquoted') at.isQuery ||= /[?&]/.test(character);
  // A name may be followed by spaces before its "=".
  else if (character === '=') at.state = 'before-value';
  else {
    at.attribute = (at.state === 'attribute-name' ? at.attribute : '') + character.toLowerCase();
    at.state = 'attribute-name';
  }
  return index + 1;
}

function beginValue(at: Mutable, character: string): void {
  if (/\s/.test(character)) return;
  at.state = character === '"' || character === "'" ? 'quoted' : 'unquoted';
  at.quote = character;
  at.isQuery = character === '?' || character === '&';
}
