/** Old terms of the project that must not come back (ARCHITECTURE.md, "Glossary"). */
import assert from 'node:assert/strict';
import test from 'node:test';
import { listFiles, listPages, readText } from '../harness/repository.ts';

interface Term {
  readonly pattern: RegExp;
  readonly instead: string;
}

const TERMS: readonly Term[] = [
  { pattern: /\bledgers?\b/i, instead: 'work queue' },
  { pattern: /\baddressees?\b/i, instead: 'recipient' },
  { pattern: /\bthereof\b/i, instead: 'of it' },
  { pattern: /\bkeeps? back\b|\bkept back\b/i, instead: 'suppress' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bbeforehand\b/i, instead: 'before that' },
  { pattern: /\bof whom\b/i, instead: 'of which' },
  { pattern: /\bwhat it comes? to\b/i, instead: 'the result' },
  { pattern: /\bha(?:s|ve) (?:it|them) done\b/i, instead: 'do' },
  { pattern: /\bnobody is asked\b/i, instead: 'without a check' },
  { pattern: /\blets? be\b/i, instead: 'leave unchanged' },
  { pattern: /\bin the midst of\b/i, instead: 'during' },
  { pattern: /\bgone over\b/i, instead: 'skipped or processed' },
  { pattern: /(?<![.$`'"(])\boctets?\b(?![-_:,)]| \w+ ===)/i, instead: 'byte' },
];

/** Prose that quotes a standard or lists the words themselves. */
const EXCEPTIONS: readonly string[] = ['test/contract/vocabulary.test.ts', 'CHANGELOG.md'];

/** Returns the comments and names of tests of a TypeScript or SQL file, or all lines of a page, with line numbers. */
function proseOf(path: string, text: string): { readonly line: number; readonly text: string }[] {
  const lines = text.split('\n').map((line, index) => ({ line: index + 1, text: line }));
  if (path.endsWith('.md')) return lines;
  return lines.filter(({ text: line }) => /^\s*(?:\/\*|\*|\/\/|--|test\()|\s(?:\/\/|--)\s/.test(line));
}

/** Lists the files of code, except generated ones. */
async function listSources(): Promise<string[]> {
  const paths: string[] = [];
  for (const folder of ['src', 'web', 'console', 'sdk', 'test', 'bench', 'scripts'])
    for (const ending of ['.ts', '.tsx', '.sql']) paths.push(...(await listFiles(folder, ending)));
  return paths.filter((path) => !path.includes('/generated/'));
}

test('comments, names of tests and pages use the terms of the glossary', async () => {
  const paths = [...(await listPages()), ...(await listSources())];
  const found: string[] = [];
  for (const path of paths.filter((each) => !EXCEPTIONS.includes(each)))
    for (const { line, text } of proseOf(path, await readText(path)))
      for (const { pattern, instead } of TERMS) {
        const word = pattern.exec(text)?.[0];
        if (word !== undefined) found.push(`${path}:${line}: write "${instead}" instead of "${word}"`);
      }
  assert.deepEqual(found, []);
});

/** Maximum width of a line of prose, in characters. */
const MAX_WIDTH = 120;

test('lines of pages are at most 120 characters wide, except in tables and code', async () => {
  const wide: string[] = [];
  for (const path of await listPages()) {
    let isCode = false;
    for (const [index, line] of (await readText(path)).split('\n').entries()) {
      if (/^\s*```/.test(line)) isCode = !isCode;
      else if (!isCode && !line.startsWith('|') && line.length > MAX_WIDTH) wide.push(`${path}:${index + 1}`);
    }
  }
  assert.deepEqual(wide, []);
});

test('comments are at most 120 characters wide', async () => {
  const wide: string[] = [];
  for (const path of await listSources())
    for (const [index, line] of (await readText(path)).split('\n').entries())
      if (/^\s*(?:\/\*|\*|\/\/|--)/.test(line) && line.length > MAX_WIDTH) wide.push(`${path}:${index + 1}`);
  assert.deepEqual(wide, []);
});

test('doc comments start with a noun or a verb', async () => {
  const found: string[] = [];
  for (const path of await listSources()) {
    const lines = (await readText(path)).split('\n');
    for (const [index, line] of lines.entries())
      if (
        /^\s*\/?\*\*? (?:What|Whom|Whose|Whether|Who|Where|Why) /.test(line) &&
        /\/\*\*/.test(line + (lines[index - 1] ?? ''))
      )
        found.push(`${path}:${index + 1}: ${line.trim()}`);
  }
  assert.deepEqual(found, []);
});
