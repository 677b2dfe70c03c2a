/** Records that a trigger's entity refers to. An attempt loads each once, and only if an expression needs it. */
import { AppError } from '../../../errors/app-error.ts';
import {
  FlowError,
  type Json,
  RELATED_RECORDS,
  type Segments,
  type Values,
} from '../../../flows/expressions.ts';
import type { ReadRelated } from '../../../flows/related-records.ts';
import type { Plan } from './plan.ts';

/** The source of related records. */
export interface RelationSource {
  readonly plan: Pick<Plan, 'entityKey' | 'entityPaths'>;
  readonly trigger: Readonly<Record<string, unknown>>;
  readonly read: ReadRelated;
  readonly ctx: () => Parameters<ReadRelated>[0];
}

/** Loads related records for the expressions of one attempt. */
export class TriggerRelations {
  readonly #source: RelationSource;
  readonly #record: Readonly<Record<string, unknown>> | null;
  readonly #requested = new Set<string>();
  readonly #loaded: Record<string, Json> = {};

  constructor(source: RelationSource) {
    this.#source = source;
    const { entity } = source.trigger;
    const isRecord = typeof entity === 'object' && entity !== null && !Array.isArray(entity);
    this.#record = isRecord ? { ...entity } : null;
  }

  /** Returns all related records loaded so far, and those on these paths. @throws FlowError if they cannot be read. */
  async load(paths: readonly Segments[]): Promise<Values> {
    const { plan, read, ctx } = this.#source;
    const record = this.#record;
    const names = new Set(entityPathsOf(paths).map(([name = '']) => name));
    const isNew = (name: string) => names.has(name) && !this.#requested.has(name);
    if (plan.entityKey !== null && record !== null) {
      const newPaths = plan.entityPaths.filter(([name = '']) => isNew(name) && !Object.hasOwn(record, name));
      for (const name of names) this.#requested.add(name);
      if (newPaths.length > 0)
        Object.assign(
          this.#loaded,
          await asFlowError(() => read(ctx(), { entity: plan.entityKey ?? '', record, paths: newPaths })),
        );
    }
    return { [RELATED_RECORDS]: this.#loaded };
  }
}

/** True if an action's parameters read related records of the trigger's entity. */
export function readsRelations(
  { entityKey }: Pick<Plan, 'entityKey'>,
  trigger: Readonly<Record<string, unknown>>,
  paths: readonly Segments[],
): boolean {
  const entity = Object(trigger.entity);
  return entityKey !== null && entityPathsOf(paths).some(([name = '']) => !Object.hasOwn(entity, name));
}

/** Returns the paths that start in the trigger's entity, relative to it. */
export function entityPathsOf(paths: readonly Segments[]): readonly Segments[] {
  return paths
    .filter((path) => path.length > 2 && path.slice(0, 2).join('.') === RELATED_RECORDS)
    .map((path) => path.slice(2));
}

async function asFlowError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) throw new FlowError(`Related records cannot be read: ${error.message}`);
    throw error;
  }
}
