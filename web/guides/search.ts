/** Search of the guides: an index built in the browser from one file, in an accessible dialog. */
import MiniSearch, { type SearchResult } from 'minisearch';

/** Maximum number of results shown. */
const MAX_RESULTS = 30;
/** Maximum length of an excerpt, in characters. */
const MAX_EXCERPT = 160;

/** A section of a page. */
interface Entry {
  readonly id: number;
  readonly path: string;
  readonly page: string;
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

interface Index {
  readonly engine: MiniSearch<Entry>;
  readonly entries: readonly Entry[];
}

const FIELDS = ['page', 'heading', 'text'];
const { root = '', search = '' } = document.documentElement.dataset;
let index: Promise<Index> | undefined;

async function loadIndex(): Promise<Index> {
  const response = await fetch(search);
  if (!response.ok) throw new Error(`The search data could not be loaded: ${response.status}`);
  const rows: string[][] = await response.json();
  const entries = rows.map(([path = '', page = '', anchor = '', heading = '', text = ''], id) => ({
    ...{ id, path, page, anchor, heading, text },
  }));
  const engine = new MiniSearch<Entry>({ fields: FIELDS });
  engine.addAll(entries);
  return { engine, entries };
}

/** Finds sections that have every word, or else some of them. */
function find({ engine, entries }: Index, query: string): SearchResult[] {
  const options = {
    boost: { page: 2, heading: 4 },
    prefix: true,
    fuzzy: (term: string) => (term.length > 4 ? 0.2 : false),
    // Ranks guides before the specification.
    boostDocument: (id: number) => (entries[id]?.path.startsWith('guides/specification/') ? 0.4 : 1),
  };
  const all = engine.search(query, { ...options, combineWith: 'AND' });
  return all.length > 0 ? all : engine.search(query, options);
}

function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  node.className = className;
  node.append(...children);
  return node;
}

/** Splits a text and wraps found words in `mark` elements. */
function withMarks(text: string, words: readonly string[]): (Node | string)[] {
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (escaped.length === 0) return [text];
  const parts = text.split(new RegExp(`(${escaped.join('|')})`, 'gi'));
  // The capturing group puts the found words at odd indexes.
  return parts.map((part, index) => (index % 2 === 1 ? element('mark', '', part) : part));
}

/** Returns the part of a text around the first found word. */
function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const first = Math.min(...words.map((word) => lower.indexOf(word)).filter((at) => at >= 0), text.length);
  const wanted = first === text.length ? 0 : Math.max(0, first - MAX_EXCERPT / 3);
  const from = wanted === 0 ? 0 : text.indexOf(' ', wanted) + 1;
  const excerpt = text.slice(from, from + MAX_EXCERPT);
  return `${from > 0 ? '…' : ''}${excerpt}${from + MAX_EXCERPT < text.length ? '…' : ''}`;
}

function toItem({ path, page, anchor, heading, text }: Entry, words: readonly string[]): HTMLLIElement {
  const title = anchor === '' ? [page] : [`${page} `, element('span', 'in', '›'), ` ${heading}`];
  const link = element('a', '', element('strong', '', ...title));
  link.append(element('span', '', ...withMarks(excerptOf(text, words), words)));
  link.href = `${root}${path}${anchor === '' ? '' : `#${anchor}`}`;
  return element('li', '', link);
}

const dialog = document.querySelector<HTMLDialogElement>('#site-search');
const input = dialog?.querySelector('input');
const list = dialog?.querySelector('ol');
const status = dialog?.querySelector('[role=status]');

async function showResults(): Promise<void> {
  if (!input || !list || !status) return;
  const query = input.value.trim();
  index ??= loadIndex();
  const loaded = await index.catch(() => null);
  // Ignore the result if the query has changed since.
  if (query !== input.value.trim()) return;
  if (loaded === null) {
    index = undefined;
    status.textContent = 'The search is not available. Check the connection and try again.';
    return;
  }
  if (query === '') {
    list.replaceChildren();
    status.textContent = '';
    return;
  }
  const found = find(loaded, query);
  const items = found.slice(0, MAX_RESULTS).flatMap(({ id, terms }) => {
    const entry = loaded.entries[id];
    return entry ? toItem(entry, terms) : [];
  });
  list.replaceChildren(...items);
  list.scrollTop = 0;
  const sections = found.length === 1 ? '1 section' : `${found.length} sections`;
  status.textContent =
    found.length === 0 ? `Nothing found for “${query}”. Try fewer words.` : `${sections} found`;
}

/** Closes the search with Escape, which otherwise only empties the field, and moves the focus with the arrow keys. */
function handleKey(event: KeyboardEvent): void {
  if (event.key === 'Escape') {
    event.preventDefault();
    dialog?.close();
  }
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const stops: HTMLElement[] = [...(input ? [input] : []), ...(list?.querySelectorAll('a') ?? [])];
  const active = document.activeElement;
  const position = active instanceof HTMLElement ? stops.indexOf(active) : -1;
  const next = stops[position + (event.key === 'ArrowDown' ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Opens the search with an initial query. */
export function openDialog(query: string): void {
  if (!dialog || !input) return;
  if (query !== '') input.value = query;
  if (!dialog.open) dialog.showModal();
  input.focus();
  input.select();
  void showResults();
}

input?.addEventListener('input', () => showResults());
dialog?.addEventListener('keydown', handleKey);
dialog?.querySelector('form')?.addEventListener('submit', (event) => {
  event.preventDefault();
  list?.querySelector('a')?.click();
});
dialog?.addEventListener('click', (event) => {
  const isOutside = event.target === dialog;
  const isClose = event.target instanceof Element && event.target.closest('[data-search-close], a');
  if (isOutside || isClose) dialog.close();
});
