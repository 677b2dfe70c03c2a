/** Preview of filters: the number of matching subscribers, and some of them. */
import Type, { type Static } from 'typebox';
import type { MemberContext } from '../../../http/context.ts';
import { ownerOfNew } from '../../../resources/ownership.ts';
import { getEmailSettings } from '../../email-settings/api.ts';
import { AudienceFilters } from '../subscriber-groups/index.ts';
import { countMatching, listSample } from '../subscribers/index.ts';
import { isOfUnit } from './evaluation.ts';
import { compileFilters, usesOf } from './filters.ts';
import { checkFilters } from './service.ts';

/** Time after which counting stops, in ms. */
const COUNT_MS = 1000;
const SAMPLE = 5;

/** Filters to preview, and the unit of the audience that would have them. */
export const PreviewBody = Type.Object(
  {
    filters: AudienceFilters,
    business_unit: Type.Optional(
      Type.String({ description: 'Unit of the audience: id, slug or name. Default: as for a create.' }),
    ),
  },
  { title: 'AudiencePreviewRequest' },
);
type PreviewBody = Static<typeof PreviewBody>;

/** Number of matching subscribers, and the newest of them. */
export const PreviewReply = Type.Object(
  {
    count: Type.Integer({ description: 'Includes inactive subscribers.' }),
    is_exact: Type.Boolean({ description: 'False if counting took too long: there are at least `count`.' }),
    sample: Type.Array(
      Type.Object(
        { id: Type.String(), first_name: Type.String(), last_name: Type.String(), email: Type.String() },
        { title: 'AudienceSample' },
      ),
      { description: `The newest ${SAMPLE} of them.` },
    ),
  },
  { title: 'AudiencePreview' },
);
type PreviewReply = Static<typeof PreviewReply>;

/**
 * Counts the subscribers of a unit that match filters, for at most a second or so
 * (docs/specification/subscribers.md#preview).
 * @throws AppError as `checkFilters`; FORBIDDEN or BUSINESS_UNIT_REQUIRED as for a create.
 */
export async function previewFilters(
  ctx: MemberContext,
  { filters, business_unit }: PreviewBody,
): Promise<PreviewReply> {
  const { db, caller, platform } = ctx;
  const unitId = ownerOfNew({ kind: 'member', caller }, undefined, business_unit);
  await checkFilters(ctx, { filters });
  const usesFields = usesOf(filters).uses_fields;
  const definitions = usesFields ? (await getEmailSettings(db)).subscriber_additional_fields : {};
  const { conditions } = compileFilters(filters, definitions, ctx.now);
  const end = platform.clock().getTime() + COUNT_MS;
  const { count, isExact, newest } = await countMatching(db, [isOfUnit(unitId), ...conditions], {
    deadline: () => platform.clock().getTime() >= end,
    sample: SAMPLE,
  });
  return { count, is_exact: isExact, sample: await listSample(db, newest) };
}
