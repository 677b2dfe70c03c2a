/** Splits a style sheet into its top-level rules for inlining (CSS Syntax Level 3), in linear time. */

/** A rule: `prelude{block}`, or a statement such as `@import ...` without a block. */
export interface CssRule {
  readonly prelude: string;
  readonly block: string | null;
}

/** Splits a style sheet into its rules without comments; a truncated rule ends with the text. */
export function splitRules(css: string): CssRule[] {
  const rules: CssRule[] = [];
  const text = withoutComments(css);
  let start = 0;
  for (let index = 0; index < text.length; ) {
    const mark = nextMark(text, index, '{;');
    const prelude = text.slice(start, mark).trim();
    if (text[mark] === '{') {
      const end = endOfBlock(text, mark + 1);
      if (prelude !== '') rules.push({ prelude, block: text.slice(mark + 1, end) });
      index = end + 1;
    } else {
      if (prelude.startsWith('@')) rules.push({ prelude, block: null });
      index = mark + 1;
    }
    start = index;
  }
  return rules;
}

/** Splits a list of selectors at its commas, except those in brackets and strings. */
export function splitSelectors(prelude: string): string[] {
  const selectors: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < prelude.length; index += 1) {
    const mark = prelude[index] ?? '';
    if (mark === '"' || mark === "'") index = endOfString(prelude, index);
    else if (mark === '(' || mark === '[') depth += 1;
    else if (mark === ')' || mark === ']') depth -= 1;
    else if (mark === ',' && depth === 0) {
      selectors.push(prelude.slice(start, index).trim());
      start = index + 1;
    }
  }
  selectors.push(prelude.slice(start).trim());
  return selectors.filter((selector) => selector !== '');
}

/** Removes comments, and the marks that hid style sheets from old browsers. */
function withoutComments(css: string): string {
  let stripped = '';
  let from = 0;
  for (let open = css.indexOf('/*'); open >= 0; open = css.indexOf('/*', from)) {
    stripped += `${css.slice(from, open)} `;
    const close = css.indexOf('*/', open + 2);
    if (close < 0) return stripped;
    from = close + 2;
  }
  return (stripped + css.slice(from)).replace(/<!--|-->/g, ' ');
}

/** Returns the index of the first of these marks outside of strings and brackets; the end without one. */
function nextMark(text: string, from: number, marks: string): number {
  let depth = 0;
  for (let index = from; index < text.length; index += 1) {
    const mark = text[index] ?? '';
    if (mark === '"' || mark === "'") index = endOfString(text, index);
    else if (mark === '(') depth += 1;
    else if (mark === ')') depth -= 1;
    else if (mark === '{' || (depth <= 0 && marks.includes(mark))) return index;
  }
  return text.length;
}

/** Returns the index of the brace that closes a block. */
function endOfBlock(text: string, from: number): number {
  let depth = 1;
  for (let index = from; index < text.length; index += 1) {
    const mark = text[index] ?? '';
    if (mark === '"' || mark === "'") index = endOfString(text, index);
    else if (mark === '{') depth += 1;
    else if (mark === '}') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return text.length;
}

/** Returns the index of the quote that closes a string; a string ends with its line. */
function endOfString(text: string, from: number): number {
  const quote = text[from];
  for (let index = from + 1; index < text.length; index += 1) {
    if (text[index] === '\\') index += 1;
    else if (text[index] === quote || text[index] === '\n') return index;
  }
  return text.length;
}
