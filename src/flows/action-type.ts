/**
 * What an action of an automation does. Each type is one file with the schema of its parameters, in the feature whose work it does,
 * which lists it in its manifest: nothing else names a type (docs/specification/automations.md#action-types).
 *
 * As in a route, `prepare` may wait for the world and `write` runs in a transaction: the one in which the run notes the result, so
 * that what an action writes into our own tables happens exactly once, however often the run is tried. What reaches others is
 * a `call`, which may happen again after a crash, each time with the same idempotency key.
 */
import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Issue } from '../errors/app-error.ts';
import type { Platform } from '../platform.ts';
import type { FollowUp } from '../resources/follow-up.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { Json } from './expressions.ts';

/** What an action has of the run that it belongs to. */
export interface ActionContext {
  readonly platform: Platform;
  /** The whole tenant's rows; in `write` the open transaction. */
  readonly db: ScopedDb;
  /** Who writes: the automation with its run and the chain that led to it. */
  readonly actor: Extract<Actor, { readonly kind: 'automation' }>;
  readonly now: Date;
  /** Opens a sealed value of the automation's definition. @throws SecretBoxError. */
  readonly openSecret: (sealed: string) => string;
  /** A UUID, the same with each try of this action in this run. */
  readonly idempotencyKey: string;
  /** What is left of the run's time, milliseconds. */
  readonly timeoutMs: number;
  /** What notes the result, where the type says that its statement does. */
  readonly followUps?: readonly FollowUp[];
}

/** What a result may be: JSON that later actions read by `{{actions.<key>.<path>}}`. */
export type ActionResult = Json;

/** Facts of a type that `GET /api/automations/action-types` and docs/automations.md show. */
interface ActionFacts<P extends TObject> {
  /** `actionTypeKey` of definitions. */
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** Checked when a run has filled the expressions in; texts are what definitions hold. */
  readonly params: P;
  /** Which parameters are templates of the type's own, whose braces are its to read unless they name `trigger` or `actions`. */
  readonly ownTemplates?: (params: Readonly<Record<string, unknown>>) => readonly string[];
  /** Rules beside the schema, such as which of two parameters are given; their fields are named as in the parameters. */
  readonly check?: (params: Static<P>) => readonly Issue[];
}

/**
 * What a type does: `write` in our own tables, or `call` out into the world. What they throw fails the action: an AppError with its
 * message and its issues; an ActionFailure as it says; anything else is a fault of ours, and tried again by the work queue's rules.
 */
type ActionWork<P extends TObject, Prepared> =
  | {
      readonly prepare?: (ctx: ActionContext, params: Static<P>) => Promise<Prepared>;
      readonly write: (ctx: ActionContext, params: Static<P>, prepared: Prepared) => Promise<ActionResult>;
      /**
       * Whether `write` makes or changes one record by a statement that also does what `ctx.followUps` say, and its result is this record,
       * without JSON in it. It is given no transaction then.
       */
      readonly notesByStatement?: (params: Static<P>, prepared: Prepared) => boolean;
      readonly isHarmless?: undefined;
      readonly isReading?: undefined;
      readonly call?: undefined;
    }
  | {
      readonly call: (ctx: ActionContext, params: Static<P>) => Promise<ActionResult>;
      /** To do it again is no matter, so that a run need not note it before it goes on. */
      readonly isHarmless?: true;
      /** It only reads our own tables: another try may read other values, so it is noted before others are told of them. */
      readonly isReading?: true;
      readonly prepare?: undefined;
      readonly write?: undefined;
      readonly notesByStatement?: undefined;
    };

/** An action type as its file declares it. */
export type ActionTypeDefinition<P extends TObject, Prepared> = ActionFacts<P> &
  ActionWork<P, Prepared> & {
    /**
     * What it would do, without any effect: checks what can be checked by reading, and gives the result as far as it is known,
     * so that later actions of a dry run can go on with it.
     */
    readonly preview: (ctx: ActionContext, params: Static<P>) => Promise<ActionResult>;
  };

/** Any action type: its parameters are checked before it sees them. */
export interface ActionType {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  readonly params: TObject;
  /** Of these parameters of a definition, those that are templates of the type's own. */
  ownTemplates(params: Readonly<Record<string, unknown>>): readonly string[];
  /** Whether it reaches others, so that a crash may repeat it with the same idempotency key. */
  readonly isCall: boolean;
  /** Whether that would be no matter. */
  readonly isHarmless: boolean;
  /** Whether its call only reads our own tables. */
  readonly isReading: boolean;
  /** Waits for the world, if the type does; gives what `write` needs. @throws ActionFailure for parameters that are refused. */
  prepare(ctx: ActionContext, params: unknown): Promise<unknown>;
  /** Whether `write` notes the result by its own statement, as `ctx.followUps` say. */
  notesByStatement(params: unknown, prepared: unknown): boolean;
  /** In the transaction that notes the result, unless its statement does. */
  write(ctx: ActionContext, params: unknown, prepared: unknown): Promise<ActionResult>;
  call(ctx: ActionContext, params: unknown): Promise<ActionResult>;
  preview(ctx: ActionContext, params: unknown): Promise<ActionResult>;
}

type FailureFacts = Partial<Pick<ActionFailure, 'isFinal' | 'result' | 'fields'>>;

/** Why an action has failed, for people who read the run. */
export class ActionFailure extends Error {
  /** Whether another try would come to the same. */
  readonly isFinal: boolean;
  /** What it found out all the same, such as the answer of a receiver. */
  readonly result: ActionResult;
  /** The parameters at fault: `data.amount`. */
  readonly fields: readonly string[];

  constructor(message: string, { isFinal = false, result = null, fields = [] }: FailureFacts = {}) {
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
  const { ownTemplates = () => [], notesByStatement } = definition;
  const validator = Compile(params);
  const read = (given: unknown) => {
    if (!validator.Check(given)) {
      const [error] = validator.Errors(given);
      const path = error?.instancePath ?? '';
      const fields = [path.slice(1).replaceAll('/', '.')];
      throw new ActionFailure(`params${path} ${error?.message ?? 'are not valid'}`, {
        isFinal: true,
        fields,
      });
    }
    const [issue] = check?.(given) ?? [];
    if (issue) {
      const { field = '', message } = issue;
      throw new ActionFailure(`params.${field} ${message}`, { isFinal: true, fields: [field] });
    }
    return given;
  };
  const missing = (): never => {
    throw new Error(`${key} does not act in this way.`);
  };
  return {
    ...{ key, name, description, params, ownTemplates },
    isCall: call !== undefined,
    isHarmless: definition.isHarmless === true,
    isReading: definition.isReading === true,
    prepare: async (ctx, given) => prepare?.(ctx, read(given)),
    notesByStatement: (given, prepared) => notesByStatement?.(read(given), prepared) === true,
    write: async (ctx, given, prepared) => (write ?? missing)(ctx, read(given), prepared),
    call: async (ctx, given) => (call ?? missing)(ctx, read(given)),
    preview: async (ctx, given) => preview(ctx, read(given)),
  };
}
