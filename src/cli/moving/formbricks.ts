/** Import from Formbricks: surveys of an installation, or of a file. */
import { readFile } from 'node:fs/promises';
import Type from 'typebox';
import Value from 'typebox/value';
import { toForm } from './formbricks-form.ts';
import { FormbricksSurvey } from './formbricks-survey.ts';
import { importOnce, type Move } from './move.ts';
import { openSource } from './source-http.ts';
import { parseJson } from './target.ts';

const PAGE_SIZE = 50;

const Surveys = Type.Object({ data: Type.Array(Type.Unknown()) });
const Wrapped = Type.Object({ data: Type.Unknown() });
const Named = Type.Object({ name: Type.String() });
const Identified = Type.Object({ id: Type.String() });
const Created = Type.Object({ code: Type.String() });

/** Imports the surveys of the Formbricks at an address as forms. */
export async function importFormbricks(move: Move): Promise<void> {
  const headers: Record<string, string> = move.token === undefined ? {} : { 'x-api-key': move.token };
  const credential = 'an API key that may read surveys';
  const source = openSource({ name: 'Formbricks', url: move.from, headers, credential });
  const seen = new Set<string>();
  let offset = 0;
  for (;;) {
    const path = `/api/v1/management/surveys?limit=${PAGE_SIZE}&offset=${offset}`;
    const { data } = await source.json(path, Surveys);
    // Versions that know no offset return the same surveys again.
    const isNew = (item: unknown) => !Value.Check(Identified, item) || !seen.has(item.id);
    const items = data.filter(isNew);
    for (const item of items) if (Value.Check(Identified, item)) seen.add(item.id);
    for (const item of items) await importSurvey(move, item);
    offset += data.length;
    if (data.length < PAGE_SIZE || items.length === 0) break;
  }
  if (offset > 0)
    move.report.skip(
      'responses',
      'a submission would have the date of the import and start automations; export them as CSV',
    );
}

/** Imports the surveys of a JSON file: one, a list, or a response of the API. */
export async function importFormbricksFile(move: Move): Promise<void> {
  const text = await readFile(move.from, 'utf8').catch((error: Error) => {
    throw new Error(`${move.from} cannot be read: ${error.message}`, { cause: error });
  });
  const content = parseJson(text);
  const data = Value.Check(Wrapped, content) && !Value.Check(Named, content) ? content.data : content;
  if (typeof data !== 'object' || data === null)
    throw new Error(`${move.from} contains no survey of Formbricks as JSON`);
  for (const item of Array.isArray(data) ? data : [data]) await importSurvey(move, item);
}

async function importSurvey(move: Move, item: unknown): Promise<void> {
  const { report, target } = move;
  if (!Value.Check(FormbricksSurvey, item)) {
    const name = Value.Check(Named, item) ? item.name : '';
    return report.skip(`survey ${name}`.trim(), 'the data has unexpected types');
  }
  const form = toForm(report, item);
  const name = `survey ${item.name}`;
  if ('problem' in form) return report.skip(name, form.problem);
  await importOnce(move, { kind: 'forms', key: `form:${item.id ?? item.name}`, name }, async () => {
    const created = await target.create('/api/forms', form.body);
    if (!Value.Check(Created, created))
      throw new Error('the response to /api/forms is not a Tessera response');
    return created.code;
  });
}
