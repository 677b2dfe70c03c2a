/**
 * Action types of automations. Each type is one file with the schema of its parameters, in the feature that does the
 * work. The feature lists it in its manifest. No other code refers to a type
 * (docs/specification/automations.md#action-types).
 *
 * As in a route, `prepare` may wait for the network, and `write` runs in a transaction: the one that stores the run's
 * result. So writes to Tessera's tables happen exactly once, however often the run is repeated. A `call` reaches other
 * systems and may be repeated after a crash, each time with the same idempotency key.
 */
import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Issue } from '../errors/app-error.ts';
import type { Platform } from '../platform.ts';
import type { FollowUp } from '../resources/follow-up.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { Json } from './expressions.ts';

/** The context of an action in its run. */
export interface ActionContext {
  readonly platform: Platform;
  /** The whole tenant's rows; in `write` the open transaction. */
  readonly db: ScopedDb;
  /** The author of writes: the automation with its run and the chain that led to it. */
  readonly actor: Extract<Actor, { readonly kind: 'automation' }>;
  readonly now: Date;
  /** Decrypts a secret of the automation's definition. @throws SecretBoxError. */
  readonly openSecret: (sealed: string) => string;
  /** A UUID, the same for each attempt of this action in this run. */
  readonly idempotencyKey: string;
  /** The remaining time of the run, in ms. */
  readonly timeoutMs: number;
  /** Statements that store the result as part of the action's own statement, if the type supports that. */
  readonly followUps?: readonly FollowUp[];
}

/** The result of an action: JSON that later actions read by `{{actions.<key>.<path>}}`. */
export type ActionResult = Json;

/** Properties of a type that `GET /api/automations/action-types` and docs/automations.md show. */
interface ActionDescription<P extends TObject> {
  /** `actionTypeKey` of definitions. */
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** Schema of the parameters. A run validates them after it has resolved the expressions. */
  readonly params: P;
  /**
   * Returns the paths of parameters that are templates in the type's own syntax. Only their expressions that begin with
   * `trigger.` or `actions.` are resolved by the run.
   */
  readonly ownTemplates?: (params: Readonly<Record<string, unknown>>) => readonly string[];
  /** Rules in addition to the schema, such as exclusive parameters. Issues name paths inside the parameters. */
  readonly check?: (params: Static<P>) => readonly Issue[];
}

/**
 * The work of a type: `write` to Tessera's tables, or `call` to other systems. An AppError or an ActionFailure fails
 * the action with its message. Any other error is a bug in Tessera and is retried by the work queue's rules.
 */
type ActionWork<P extends TObject, Prepared> =
  | {
      readonly prepare?: (ctx: ActionContext, params: Static<P>) => Promise<Prepared>;
      readonly write: (ctx: ActionContext, params: Static<P>, prepared: Prepared) => Promise<ActionResult>;
      /**
       * True if `write` creates or changes one record in a statement that also runs `ctx.followUps`, and its result is
       * this record, without JSON fields. Such a `write` runs without a transaction.
       */
      readonly writesInOneStatement?: (params: Static<P>, prepared: Prepared) => boolean;
      readonly isRepeatable?: undefined;
      readonly isReadOnly?: undefined;
      readonly call?: undefined;
    }
  | {
      readonly call: (ctx: ActionContext, params: Static<P>) => Promise<ActionResult>;
      /** True if a repeated call has no consequences, so that a run need not store its result before it continues. */
      readonly isRepeatable?: true;
      /**
       * True if it only reads Tessera's tables. Another attempt may read other values, so the result is stored before
       * it is sent to other systems.
       */
      readonly isReadOnly?: true;
      readonly prepare?: undefined;
      readonly write?: undefined;
      readonly writesInOneStatement?: undefined;
    };

/** An action type as its file declares it. */
export type ActionTypeDefinition<P extends TObject, Prepared> = ActionDescription<P> &
  ActionWork<P, Prepared> & {
    /**
     * Dry run: makes all checks that only read data, and returns the known part of the result, so that later actions of
     * the dry run can use it.
     */
    readonly preview: (ctx: ActionContext, params: Static<P>) => Promise<ActionResult>;
  };

/** Any action type. It validates its parameters itself. */
export interface ActionType {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly params: TObject;
  /** Returns the paths of parameters that are templates in the type's own syntax. */
  ownTemplates(params: Readonly<Record<string, unknown>>): readonly string[];
  /** True if it reaches other systems, so that a crash may repeat it with the same idempotency key. */
  readonly isCall: boolean;
  /** True if a repeated call has no consequences. */
  readonly isRepeatable: boolean;
  /** True if its call only reads Tessera's tables. */
  readonly isReadOnly: boolean;
  /** Waits for the network, if needed; returns data for `write`. @throws ActionFailure for invalid parameters. */
  prepare(ctx: ActionContext, params: unknown): Promise<unknown>;
  /** True if the statement of `write` also stores the result, by `ctx.followUps`. */
  writesInOneStatement(params: unknown, prepared: unknown): boolean;
  /** Runs in the transaction that stores the result, unless its own statement does. */
  write(ctx: ActionContext, params: unknown, prepared: unknown): Promise<ActionResult>;
  call(ctx: ActionContext, params: unknown): Promise<ActionResult>;
  preview(ctx: ActionContext, params: unknown): Promise<ActionResult>;
}

type FailureDetails = Partial<Pick<ActionFailure, 'isFinal' | 'result' | 'fields'>>;

/** Thrown when an action fails, with a message for readers of the run. */
export class ActionFailure extends Error {
  /** True if another attempt would fail in the same way. */
  readonly isFinal: boolean;
  /** Data from before the failure, such as the response of a receiver. */
  readonly result: ActionResult;
  /** Paths of the invalid parameters: `data.amount`. */
  readonly fields: readonly string[];

  constructor(message: string, { isFinal = false, result = null, fields = [] }: FailureDetails = {}) {
    super(message);
    this.name = 'ActionFailure';
    this.isFinal = isFinal;
    this.result = result;
    this.fields = fields;
  }
}

/** Declares an action type for a feature's manifest. */
export function defineActionType<const P extends TObject, Prepared = undefined>(
  definition: ActionTypeDefinition<P, Prepared>,
): ActionType;
export function defineActionType(definition: ActionTypeDefinition<TObject, unknown>): ActionType {
  const { key, name, description, params, prepare, write, call, preview, check } = definition;
  const { ownTemplates = () => [], writesInOneStatement } = definition;
  const validator = Compile(params);
  const read = (params: unknown) => {
    if (!validator.Check(params)) {
      const [error] = validator.Errors(params);
      const path = error?.instancePath ?? '';
      const fields = [path.slice(1).replaceAll('/', '.')];
      throw new ActionFailure(`params${path} ${error?.message ?? 'are invalid'}`, {
        isFinal: true,
        fields,
      });
    }
    const [issue] = check?.(params) ?? [];
    if (issue) {
      const { field = '', message } = issue;
      throw new ActionFailure(`params.${field} ${message}`, { isFinal: true, fields: [field] });
    }
    return params;
  };
  const unsupported = (): never => {
    throw new Error(`The action type ${key} does not support this operation.`);
  };
  return {
    ...{ key, name, description, params, ownTemplates },
    isCall: call !== undefined,
    isRepeatable: definition.isRepeatable === true,
    isReadOnly: definition.isReadOnly === true,
    prepare: async (ctx, params) => prepare?.(ctx, read(params)),
    writesInOneStatement: (params, prepared) => writesInOneStatement?.(read(params), prepared) === true,
    write: async (ctx, params, prepared) => (write ?? unsupported)(ctx, read(params), prepared),
    call: async (ctx, params) => (call ?? unsupported)(ctx, read(params)),
    preview: async (ctx, params) => preview(ctx, read(params)),
  };
}
