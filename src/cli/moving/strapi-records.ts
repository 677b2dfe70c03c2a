/** Import of the entries of a Strapi as records. */
import Value from 'typebox/value';
import { type EntityPlan, storedName } from './entity-plan.ts';
import { findRecords, type ImportedRecord } from './imported-records.ts';
import type { Move } from './move.ts';
import { createMissing, importItems, type KeyedItem, withoutKnown } from './record-import.ts';
import { importRelations, relationsOf } from './relation-import.ts';
import { readArchive, readJsonLines } from './strapi-archive.ts';
import { StrapiEntry, type StrapiExport } from './strapi-export.ts';
import type { ContentPlan, LinkPlan } from './strapi-model.ts';
import { StrapiValues } from './strapi-values.ts';

const PAGE_SIZE = 100;

/** Creates the records of entries that are not there yet, without their relations. */
export async function importEntries(
  move: Move,
  found: StrapiExport,
  plans: readonly ContentPlan[],
): Promise<void> {
  const values = new StrapiValues(move, found);
  const pages = new Map(plans.map((plan) => [plan.schema.uid, { plan, items: [] as KeyedItem[] }]));
  await readArchive(move.from, async (file) => {
    if (!/^entities\/.*\.jsonl$/.test(file.path)) return;
    for await (const line of readJsonLines(file)) {
      if (!Value.Check(StrapiEntry, line)) continue;
      const entry = { type: line.type, id: String(line.id) };
      const [page, key] = [pages.get(line.type), found.keyOf(entry)];
      if (page === undefined || key === undefined || !found.isImported(entry)) continue;
      const owner = { ...entry, data: line.data, name: `${page.plan.collection} ${key}` };
      page.items.push({ key, values: valuesOf(values, page.plan, owner) });
      if (page.items.length === PAGE_SIZE) await importItems(move, page.plan, page.items.splice(0));
    }
  });
  for (const { plan, items } of pages.values()) if (items.length > 0) await importItems(move, plan, items);
}

function valuesOf(
  values: StrapiValues,
  { fields, schema }: ContentPlan,
  owner: Parameters<StrapiValues['read']>[0],
): Record<string, unknown> {
  const own = fields.filter(({ kind }) => kind !== 'relation');
  return Object.fromEntries(
    own.flatMap(({ source }) => {
      const attribute = schema.attributes[source];
      return attribute === undefined ? [] : [[source, values.read(owner, source, attribute)]];
    }),
  );
}

/** Sets the relations of a content type's records that have none yet. */
export async function importEntryRelations(
  move: Move,
  found: StrapiExport,
  plan: ContentPlan,
  plans: readonly EntityPlan[],
): Promise<void> {
  const type = plan.schema.uid;
  const relations = relationsOf(plan);
  const items = [...found.entriesOf(type)].flatMap(([key, id]) => {
    const values = relations.flatMap(({ source }) => {
      const related = found.linked({ type, id }, source).flatMap((end) => found.keyOf(end) ?? []);
      return related.length === 0 ? [] : [[source, related[0]]];
    });
    return values.length === 0 ? [] : [{ key, values: Object.fromEntries(values) }];
  });
  for (const page of pagesOf(items)) await importRelations(move, plan, page, plans);
}

/** A link between two entries, by their keys. */
interface Link {
  readonly key: string;
  readonly left: string;
  readonly right: string;
  readonly position: number;
}

/** Creates the records of links that are not there yet. */
export async function importLinks(
  move: Move,
  found: StrapiExport,
  plan: LinkPlan,
  plans: readonly EntityPlan[],
): Promise<void> {
  for (const page of pagesOf(linksOf(found, plan))) {
    const missing = await withoutKnown(move, plan, page);
    const lefts = await findEnds(
      move,
      plans,
      plan.left.related,
      missing.map(({ left }) => left),
    );
    const rights = await findEnds(
      move,
      plans,
      plan.right.related,
      missing.map(({ right }) => right),
    );
    const drafts = missing.flatMap(({ key, left, right, position }) => {
      const [leftId, rightId] = [lefts.get(left)?.id, rights.get(right)?.id];
      const isThere = !move.isApplied || (leftId !== undefined && rightId !== undefined);
      if (!isThere)
        move.report.skip(
          `${plan.collection} ${left}`,
          `${plan.right.related} ${right}: one of them was not imported`,
        );
      const fields = {
        [storedName(plan.left)]: leftId,
        [storedName(plan.right)]: rightId,
        [storedName(plan.position)]: position,
      };
      return isThere ? [{ key, fields }] : [];
    });
    if (drafts.length > 0) await createMissing(move, plan, drafts);
  }
}

async function findEnds(
  { target, isApplied }: Move,
  plans: readonly EntityPlan[],
  collection: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ImportedRecord>> {
  const plan = plans.find((each) => each.collection === collection);
  if (plan === undefined || !isApplied) return new Map();
  return findRecords(target, plan, [...new Set(keys)]);
}

/** Returns the links of a field. Versions of the same document are one entry. */
function linksOf(found: StrapiExport, { type, attribute }: LinkPlan): Link[] {
  return [...found.entriesOf(type)].flatMap(([left, id]) => {
    const ends = found.linked({ type, id }, attribute);
    const rights = new Set(ends.flatMap((end) => found.keyOf(end) ?? []));
    return [...rights].map((right, index) => ({ key: `${left}/${right}`, left, right, position: index + 1 }));
  });
}

function pagesOf<T>(items: readonly T[]): T[][] {
  const pages: T[][] = [];
  for (let start = 0; start < items.length; start += PAGE_SIZE)
    pages.push(items.slice(start, start + PAGE_SIZE));
  return pages;
}
