import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import type { Issue } from '../../errors/app-error.ts';
import { type BodyCheck, check } from '../../http/body-checks.ts';
import type { BulkAction, BulkRule } from '../../resources/bulk-rules.ts';
import { Filters, Search } from '../../resources/paging.ts';

/** Most records that a call can name. */
const MAX_IDS = 1000;

const Ids = (description: string) =>
  Type.Optional(Type.Array(Type.String(), { maxItems: MAX_IDS, description }));

const common = {
  filters: Type.Optional(Filters),
  ids: Ids('Only these records. Required unless `filters` is given; `{}` selects all.'),
  exclude_ids: Ids('All but these.'),
  dry_run: Type.Optional(Type.Boolean({ description: 'Only counts.' })),
  expected_count: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Required unless `dry_run`: the number that a dry run returned.',
    }),
  ),
};

/** A checked body: these members, and those of the action. */
export interface BulkBody extends Readonly<Record<string, unknown>> {
  readonly action: string;
  readonly search?: string;
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly ids?: readonly string[];
  readonly exclude_ids?: readonly string[];
  readonly dry_run?: boolean;
  readonly expected_count?: number;
}

/** The schema of a call's body. Members of actions are optional in it; `bulkChecks` has the rules. */
export function bulkBody({ resource, actions }: BulkRule) {
  return Type.Unsafe<BulkBody>(
    Type.Object(
      {
        action: Type.Enum(
          actions.map(({ name }) => name),
          { description: actions.map(({ name, summary }) => `\`${name}\`: ${summary}`).join(' ') },
        ),
        ...common,
        ...(resource.search.length > 0 ? { search: Type.Optional(Search) } : {}),
        ...membersOf(actions),
      },
      { title: `${resource.title}BulkAction` },
    ),
  );
}

/** The members of all actions. Those of the same name have the same schema. */
function membersOf(actions: readonly BulkAction[]): TProperties {
  const all = actions.flatMap(({ name, members }) =>
    Object.entries<TSchema>(members?.properties ?? {}).map(([member, schema]) => ({ name, member, schema })),
  );
  const byMember = Map.groupBy(all, ({ member }) => member);
  return Object.fromEntries(
    [...byMember].map(([member, uses]) => {
      const schema = uses[0]?.schema ?? {};
      const names = uses.map(({ name }) => `\`${name}\``).join(' and ');
      const own = 'description' in schema ? ` ${String(schema.description)}` : '';
      return [member, Type.Optional({ ...schema, description: `For ${names}.${own}` })];
    }),
  );
}

/** The rules of a body that follow from its action. */
export function bulkChecks({ actions }: BulkRule): readonly BodyCheck<BulkBody>[] {
  return [
    check(['filters', 'ids'], ({ filters, ids }) =>
      filters === undefined && ids === undefined
        ? [{ field: 'filters', message: 'is required without ids; {} selects all records' }]
        : [],
    ),
    check(['dry_run', 'expected_count'], ({ dry_run, expected_count }) =>
      dry_run === true || expected_count !== undefined
        ? []
        : [{ field: 'expected_count', message: 'is required unless dry_run is true' }],
    ),
    check(['action'], (body) => memberIssues(actions, body)),
  ];
}

function memberIssues(actions: readonly BulkAction[], body: BulkBody): readonly Issue[] {
  const { members, check: find } = actions.find(({ name }) => name === body.action) ?? {};
  const own: TProperties = members?.properties ?? {};
  const required: readonly string[] = members?.required ?? [];
  const missing = required.filter((field) => body[field] === undefined);
  const others = Object.keys(membersOf(actions)).filter(
    (field) => !(field in own) && body[field] !== undefined,
  );
  const issues = [
    ...missing.map((field) => ({ field, message: `is required for ${body.action}` })),
    ...others.map((field) => ({ field, message: `is not a member of ${body.action}` })),
  ];
  return issues.length === 0 && find ? find(body) : issues;
}

/** Returns the members of a body that belong to its action. */
export function actionMembers(members: TObject | undefined, body: BulkBody): Record<string, unknown> {
  const names = Object.keys(members?.properties ?? {});
  return Object.fromEntries(names.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])));
}

const Skipped = Type.Object(
  {
    reason: Type.Enum(['FORBIDDEN', 'UNCHANGED'], {
      description: 'The caller may not change them, or they already have the values.',
    }),
    count: Type.Integer(),
  },
  { title: 'SkippedRecords' },
);

const Sample = Type.Object({ key: Type.String(), title: Type.String() }, { title: 'SelectedRecord' });

/** The records that an action selects, or the operation that changes them. */
export const BulkReply = Type.Object(
  {
    count: Type.Integer({ description: 'Selected records.' }),
    skipped: Type.Optional(Type.Array(Skipped, { description: 'With `dry_run`.' })),
    sample: Type.Optional(Type.Array(Sample, { description: 'With `dry_run`: the first five.' })),
    operation_id: Type.Optional(Type.String({ description: 'Without `dry_run`.' })),
  },
  { title: 'BulkReply' },
);
/** The records that an action selects, or the operation that changes them. */
export type BulkReply = Static<typeof BulkReply>;
