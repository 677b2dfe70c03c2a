/** Words of the language that Tessera was first written in, which must not come back (ARCHITECTURE.md, "Glossary"). */
import assert from 'node:assert/strict';
import test from 'node:test';
import { listFiles, listPages, readText } from '../harness/repository.ts';

interface Term {
  readonly pattern: RegExp;
  readonly instead: string;
}

const TERMS: readonly Term[] = [
  { pattern: /\bledgers?\b/i, instead: 'work queue' },
  { pattern: /(?<![.$`'"(])\boctets?\b(?![-_:,)]| \w+ ===)/i, instead: 'byte' },
];

/** Prose that quotes a standard or lists the words themselves. */
const EXCEPTIONS: readonly string[] = ['test/contract/vocabulary.test.ts', 'CHANGELOG.md'];

/** The comments of a TypeScript or SQL file, and all of a page, with line numbers. */
function proseOf(path: string, text: string): { readonly line: number; readonly text: string }[] {
  const lines = text.split('\n').map((line, index) => ({ line: index + 1, text: line }));
  if (path.endsWith('.md')) return lines;
  return lines.filter(({ text: line }) => /^\s*(?:\/\*|\*|\/\/|--)|\s(?:\/\/|--)\s/.test(line));
}

test('comments and pages use the terms of the glossary', async () => {
  const paths = [...(await listPages())];
  for (const folder of ['src', 'web', 'test', 'bench', 'scripts'])
    for (const ending of ['.ts', '.sql']) paths.push(...(await listFiles(folder, ending)));
  const found: string[] = [];
  for (const path of paths.filter((each) => !EXCEPTIONS.includes(each)))
    for (const { line, text } of proseOf(path, await readText(path)))
      for (const { pattern, instead } of TERMS) {
        const word = pattern.exec(text)?.[0];
        if (word !== undefined) found.push(`${path}:${line}: write "${instead}" instead of "${word}"`);
      }
  assert.deepEqual(found, []);
});
