import type { Static } from 'typebox';
import { searchOf } from '../../../resources/record-search.ts';
import { findRecord } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { themes } from './resource.ts';
import { routes } from './routes.ts';
import type { ThemeForRendering, ThemeOptions } from './schema.ts';

export { ThemeForRendering } from './schema.ts';

/** Themes for forms: layout and colors. */
export const formThemes: Feature = {
  name: 'form-themes',
  examples,
  routes,
  searches: [searchOf(themes)],
  restores: [{ resource: themes, createdBy: 'form_themes.create' }],
};

/** Returns the theme of a form, or null if there is none with this code. */
export async function findThemeForRendering(
  db: ScopedDb,
  code: string,
): Promise<Static<typeof ThemeForRendering> | null> {
  const row = await findRecord(db, themes, code);
  return row && { code: row.code, name: row.name, formBuilderThemeOptions: row.formBuilderThemeOptions };
}

/**
 * Returns the theme of an embedded form, or null if there is none with this code or in the given unit. `db` reaches
 * the whole tenant, so this excludes themes of archived units (docs/specification/tenants.md#business-units).
 */
export async function findEmbeddedTheme(
  db: ScopedDb,
  code: string,
  ownerUnit?: string,
): Promise<{ formBuilderThemeOptions: Static<typeof ThemeOptions> } | null> {
  const themesByCode = db.query
    .selectFrom('form_themes')
    .innerJoin('business_units', 'business_units.bu_id', 'form_themes.owner_bu_id')
    .select('form_themes.formBuilderThemeOptions')
    .where('form_themes.code', '=', code)
    .where('business_units.archived_at', 'is', null);
  const theme =
    ownerUnit === undefined ? themesByCode : themesByCode.where('form_themes.owner_bu_id', '=', ownerUnit);
  return (await theme.executeTakeFirst()) ?? null;
}
