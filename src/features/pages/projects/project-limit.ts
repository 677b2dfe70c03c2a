import { ruleBroken } from '../../../errors/platform-errors.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { countProjects } from './queries.ts';
import { MAX_PROJECTS } from './schema.ts';

/** Requires that the tenant may have another project. @throws AppError VALIDATION_ERROR at the maximum number. */
export async function requireProjectQuota(db: ScopedDb): Promise<void> {
  if ((await countProjects(db)) >= MAX_PROJECTS)
    throw ruleBroken('id', `exceeds the limit of ${MAX_PROJECTS} projects per tenant; delete one first`);
}
