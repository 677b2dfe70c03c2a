/** Writes the list of action types into the automation guide: `npm run action-types`. */
import { readFile, writeFile } from 'node:fs/promises';
import { features } from '../src/features/index.ts';
import type { ActionType } from '../src/flows/action-type.ts';

/** File that contains the list. */
export const GUIDE = 'docs/automations.md';
const BEGIN = '<!-- Written by `npm run action-types`. -->\n';
const END = '<!-- The end of what is written. -->\n';

/** Returns the guide with the current list. @throws Error if it has no markers for the list. */
export function withActionTypes(guide: string): string {
  const [before, rest] = guide.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`${GUIDE} has no markers for the list.`);
  const types = features.flatMap(({ actionTypes }) => actionTypes ?? []);
  return [before, BEGIN, '\n', ...types.map(describe), END, after].join('');
}

function describe({ key, description, params }: ActionType): string {
  const required = new Set<string>(params.required ?? []);
  const rows = Object.entries(params.properties).map(([name, schema]) => {
    const { description: about = '' }: { description?: string } = schema;
    const notes = [...(required.has(name) ? ['Required.'] : []), ...(about === '' ? [] : [about])];
    return `| \`${name}\` | ${typeOf(schema)} | ${notes.join(' ').replaceAll('|', '\\|')} |\n`;
  });
  return `### ${key}\n\n${wrap(description)}\n\n| parameter | | |\n|---|---|---|\n${rows.join('')}\n`;
}

/** Wraps a paragraph at 120 characters, the maximum for Markdown prose. */
function wrap(paragraph: string): string {
  return paragraph.replace(/(.{1,120})(?: |$)/g, '$1\n').trimEnd();
}

/** Returns the type of a JSON schema in words. */
function typeOf(schema: unknown): string {
  if (!isObject(schema)) return 'any value';
  const { anyOf, enum: values, type, items, patternProperties } = schema;
  if ('const' in schema) return `\`${schema.const}\``;
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(', ');
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(typeOf))].join(' or ');
  if (type === 'array') return `list of: ${typeOf(items)}`;
  if (isObject(patternProperties))
    return `object of: ${Object.values(patternProperties).map(typeOf).join(', ')}`;
  return typeof type === 'string' ? type : 'any value';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

if (import.meta.main) await writeFile(GUIDE, withActionTypes(await readFile(GUIDE, 'utf8')));
