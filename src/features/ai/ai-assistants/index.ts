import type { Static } from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { searchOf } from '../../../resources/record-search.ts';
import { getRecord } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { isActiveUnit, listAssistantIds } from './queries.ts';
import { assistants } from './resource.ts';
import { routes } from './routes.ts';
import type { Knowledge, LlmConfiguration } from './schema.ts';

export { TokenBudget } from './schema.ts';

/** Assistants: instructions, knowledge and tools for a model. */
export const aiAssistants: Feature = {
  name: 'ai-assistants',
  examples,
  tags: {
    AI: 'Assistants, threads and vector indexes. Threads and indexes need no model provider.',
  },
  routes,
  searches: [searchOf(assistants)],
  restores: [{ resource: assistants, createdBy: 'ai_assistants.create' }],
};

/** The fields of an assistant that its answers need. */
export interface AssistantConfig {
  readonly id: string;
  /** The unit that owns the assistant, its threads and its indexes. */
  readonly unitId: string;
  readonly llmConfiguration: Static<typeof LlmConfiguration>;
  readonly knowledge: Static<typeof Knowledge>;
  /** Token limit per month, or null. */
  readonly tokenBudget: number | null;
}

/** Returns the assistant of these units with this name, or else the only assistant there is; null if neither exists. */
export async function findAssistantByKey(
  db: ScopedDb,
  unitIds: readonly string[],
  key: string,
): Promise<AssistantConfig | null> {
  const matching = await listAssistantIds(db, unitIds, key);
  const [id, ...others] = matching.length > 0 ? matching : await listAssistantIds(db, unitIds);
  return id === undefined || others.length > 0 ? null : getAssistant(db, id);
}

/**
 * Returns an assistant. @throws AppError NOT_FOUND, also for an archived unit when `db` has the scope of the whole
 * tenant.
 */
export async function getAssistant(db: ScopedDb, id: string): Promise<AssistantConfig> {
  const row = await getRecord(db, assistants, id);
  const { owner_bu_id: unitId, llm_configuration, knowledge, monthly_token_budget: tokenBudget } = row;
  if (!(await isActiveUnit(db, unitId))) throw new AppError(assistants.notFound);
  return { id, unitId, llmConfiguration: llm_configuration, knowledge, tokenBudget };
}
