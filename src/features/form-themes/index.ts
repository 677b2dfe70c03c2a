import type { Static } from 'typebox';
import { findRecord } from '../../resources/records.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { Feature } from '../feature.ts';
import { themes } from './resource.ts';
import { routes } from './routes.ts';
import { ThemeForRendering } from './schema.ts';

export { ThemeForRendering };

/** Looks and colours for forms. */
export const formThemes: Feature = { name: 'form-themes', routes };

/** The theme a form is shown in, or null when there is none by that code. */
export async function findThemeForRendering(
  db: ScopedDb,
  code: string,
): Promise<Static<typeof ThemeForRendering> | null> {
  const row = await findRecord(db, themes, code);
  if (row === null) return null;
  return { code: row.code, name: row.name, formBuilderThemeOptions: row.formBuilderThemeOptions };
}
