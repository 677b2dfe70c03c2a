import { recordVersions } from '../../resources/history.ts';
import type { Writer } from '../../resources/statements.ts';
import type { BusinessUnitRow } from '../../tenancy/identity-tables.ts';

/** Records a unit's present version: what lists show, and when it was archived. */
export async function recordUnit(writer: Writer, unit: BusinessUnitRow): Promise<void> {
  await recordVersions(writer, [
    {
      entityType: 'business_unit',
      sortKey: unit.bu_id,
      version: unit.version,
      ownerBuId: unit.bu_id,
      recordedAt: unit.updated_at ?? unit.created_at,
      data: {
        bu_id: unit.bu_id,
        name: unit.name,
        slug: unit.slug,
        is_default: unit.is_default,
        ...(unit.archived_at === null ? {} : { archived_at: unit.archived_at }),
      },
    },
  ]);
}
