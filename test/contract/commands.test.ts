import assert from 'node:assert/strict';
import test from 'node:test';
import { describeAll, describeCommand } from '../../src/cli/help.ts';
import { loadCommands } from '../../src/cli/run.ts';
import { CONFIG_VARIABLES } from '../../src/config.ts';
import { listPages, readText } from '../harness/repository.ts';

const commands = await loadCommands();

/** Returns the first cells of the table below a heading of the operating guide. */
async function cellsOf(heading: string): Promise<string[]> {
  const section =
    (await readText('docs/operating.md')).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
}

test('the help and the operating guide list the same commands', async () => {
  const names = commands.map(({ name }) => name);
  const documented = (await cellsOf('Commands')).map((cell) => /^`tessera ([a-z-]+)/.exec(cell)?.[1]);
  assert.deepEqual(documented, names);
  const help = describeAll(commands);
  assert.deepEqual(
    [...help.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name),
    names,
  );
});

test('the help of serve, the operating guide and config.example.env list the same variables', async () => {
  const names = CONFIG_VARIABLES.map(({ name }) => name);
  const documented = (await cellsOf('Configuration')).flatMap((cell) =>
    [...cell.matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
  );
  assert.deepEqual(documented.sort(), [...names].sort());
  const [serve] = commands;
  assert.ok(serve);
  assert.deepEqual(
    [...describeCommand(serve).matchAll(/^ {2}([A-Z0-9_]+)(?==|$)/gm)].map(([, name]) => name),
    names,
  );
});

test('every command and option in the documentation exists, and the help fits a terminal', async () => {
  const wrong: string[] = [];
  for (const page of await listPages()) {
    for (const [call, name, rest = ''] of (await readText(page)).matchAll(
      /\btessera (?!COMMAND|tessera\b)([a-z]+(?:-[a-z]+)*)((?: [^`\n|]*)?)[`\n]/g,
    )) {
      const command = commands.find((each) => each.name === name);
      const isCode = call.endsWith('`') || rest.startsWith(' --');
      if (
        command === undefined
          ? isCode && !page.startsWith('docs/specification')
          : hasOther(command.options ?? {}, rest)
      )
        wrong.push(`${page}: ${call.trim()}`);
    }
  }
  assert.deepEqual(wrong, []);
  for (const command of commands) {
    const long = describeCommand(command)
      .split('\n')
      .filter((line) => line.length > 200);
    assert.deepEqual(long, []);
  }
});

function hasOther(options: Readonly<Record<string, unknown>>, rest: string): boolean {
  return [...rest.matchAll(/--([a-z-]+)/g)].some(
    ([, option = '']) => option !== 'help' && !Object.hasOwn(options, option),
  );
}
