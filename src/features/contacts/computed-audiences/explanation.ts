/**
 * Explanation of an audience for one subscriber: each condition with the subscriber's value and its result
 * (docs/specification/subscribers.md#explanation).
 */
import Type, { type Static } from 'typebox';
import type { Issue } from '../../../errors/app-error.ts';
import type { MemberContext } from '../../../http/context.ts';
import { nullable } from '../../../http/schemas.ts';
import { getRecord } from '../../../resources/records.ts';
import { getEmailSettings } from '../../email-settings/api.ts';
import { audiences } from '../subscriber-groups/index.ts';
import {
  type AudienceConditions,
  type additionalFields,
  getSubscriber,
  matchSubscribers,
  subscriberValue,
} from '../subscribers/index.ts';
import { type FlatFilters, flatFiltersOf } from './condition-groups.ts';
import { compileFilters, usesOf } from './filters.ts';

/** The subscriber to explain an audience for. */
export const ExplanationBody = Type.Object(
  { subscriber_id: Type.String() },
  { title: 'AudienceExplanationRequest' },
);
type ExplanationBody = Static<typeof ExplanationBody>;

const ExplainedCondition = Type.Object(
  {
    field: Type.String({ description: 'Field of the condition, or `engagement`.' }),
    condition: Type.Unknown({ description: 'As in the filters.' }),
    value: Type.Unknown({ description: "The subscriber's value; null for `engagement`." }),
    met: Type.Boolean(),
    problem: nullable(Type.String(), {
      description: 'Why no subscriber can meet the condition since its field was defined otherwise.',
    }),
  },
  { title: 'ExplainedCondition' },
);
type ExplainedCondition = Static<typeof ExplainedCondition>;

const ExplainedGroup = Type.Object(
  {
    group: Type.Enum(['all', 'any', 'none'], {
      description: 'All conditions of `all` must be met, those of one `any`, and not all of any `none`.',
    }),
    path: Type.String({ description: '`filters`, or the item: `filters.any[0]`.' }),
    met: Type.Boolean({ description: 'True if the subscriber meets all conditions of the group.' }),
    conditions: Type.Array(ExplainedCondition),
  },
  { title: 'ExplainedGroup' },
);

/** Reasons why a subscriber is in an audience or not. */
export const Explanation = Type.Object(
  {
    is_member: Type.Boolean({ description: 'True if the subscriber is in the audience.' }),
    is_of_unit: Type.Boolean({
      description: 'False if the subscriber belongs to another unit: the filters cannot add them.',
    }),
    is_computed: Type.Boolean({ description: 'False if the audience has no filters.' }),
    groups: Type.Array(ExplainedGroup, {
      description: 'In the order of the filters; empty without filters.',
    }),
  },
  { title: 'AudienceExplanation' },
);
type Explanation = Static<typeof Explanation>;

/** Explains why a subscriber is in an audience or not. @throws AppError NOT_FOUND. */
export async function explainAudience(
  { db, now }: MemberContext,
  audienceId: string,
  { subscriber_id: subscriberId }: ExplanationBody,
): Promise<Explanation> {
  const audience = await getRecord(db, audiences, audienceId);
  const subscriber = await getSubscriber(db, subscriberId);
  const filters = audience.filters ?? {};
  const usesFields = usesOf(filters).uses_fields;
  const definitions = usesFields ? (await getEmailSettings(db)).subscriber_additional_fields : {};
  const parts = audience.filters === null ? [] : flatFiltersOf(filters);
  const conditions = parts.flatMap((part) => separate(part, audienceId, definitions, now));
  // The audience without conditions says whether the subscriber is a member.
  const [match] = await matchSubscribers(
    db,
    [subscriberId],
    [{ id: audienceId, conditions: null }, ...conditions],
  );
  const results = conditions.map(
    ({ field, condition, problem }, index): ExplainedCondition => ({
      field,
      condition,
      value: subscriberValue(subscriber, field),
      met: match?.met[index + 1] === '1',
      problem,
    }),
  );
  return {
    is_member: match?.current[0] === '1',
    is_of_unit: subscriber.owner_bu_id === audience.owner_bu_id,
    is_computed: audience.filters !== null,
    groups: parts
      .map(({ group, path }) => {
        const own = results.filter((_, index) => conditions[index]?.path === path);
        return { group, path, met: own.every(({ met }) => met), conditions: own };
      })
      .filter(({ conditions: own }) => own.length > 0),
  };
}

/** One condition of filters, compiled alone. */
interface SeparateCondition extends AudienceConditions {
  readonly path: string;
  readonly field: string;
  readonly condition: unknown;
  readonly problem: string | null;
}

function separate(
  { path, filters }: FlatFilters,
  id: string,
  definitions: additionalFields.Definitions,
  now: Date,
): SeparateCondition[] {
  return Object.entries(filters).map(([field, condition]) => {
    const { conditions, problems } = compileFilters({ [field]: condition }, definitions, now);
    return { id, path, field, condition, conditions, problem: messageOf(problems) };
  });
}

function messageOf([first]: readonly Pick<Issue, 'message'>[]): string | null {
  return first?.message ?? null;
}
