/** Actions on many records of a kind. The kind's own routes write each record, so that all of their rules apply. */
import type { Static, TObject } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Issue } from '../errors/app-error.ts';
import type { MemberContext } from '../http/context.ts';
import type { ErrorEnvelope } from '../http/error-shapes.ts';
import type { Example } from '../http/examples.ts';
import type { Undo } from '../long-operations/operation-kind.ts';
import type { Role } from '../tenancy/caller.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { FilterField } from './filter-field.ts';
import type { Resource } from './resource.ts';

/** A record as its GET shows it. */
type Members = Readonly<Record<string, unknown>>;

/** The parts that all actions have. */
interface ActionFacts {
  /** In the body's `action`: `set_active`. */
  readonly name: string;
  /** The sentence about it in the API reference. */
  readonly summary: string;
  /** The role that it needs in the unit of a record. */
  readonly role: Role;
  /** Members that the body of a call needs, or may have. */
  readonly members?: TObject;
  /** Rules of these members in addition to their schemas. */
  readonly check?: (members: Members) => readonly Issue[];
  /** Set if browser sessions may run it only shortly after their user has entered the password. */
  readonly needsConfirmation?: true;
}

/** An action that deletes records with a route. */
interface Deletion extends ActionFacts {
  /** The id of the DELETE route. */
  readonly deletedBy: string;
}

/** An action that changes records with a route. */
interface Change extends ActionFacts {
  /** The id of the PUT route. */
  readonly updatedBy: string;
  /** Returns the members that the action sets. */
  readonly patch: (record: Members, members: Members) => Members;
  /** Returns filters of the records that already have the values; null if no filter selects them. */
  readonly unchanged?: (members: Members) => Readonly<Record<string, unknown>> | null;
  /** Set if a revert must not undo it, such as the choices of people. */
  readonly isFinal?: true;
}

/** An action that does something else with the records of one part. */
interface Run extends ActionFacts {
  /** Runs in the transaction of the part. Returns how many records it concerned. */
  readonly run: (ctx: BulkContext, keys: readonly (readonly string[])[]) => Promise<number>;
}

/** The context of a part: its transaction, with the present rights of the member who started the action. */
export type BulkContext = Pick<MemberContext, 'platform' | 'caller' | 'db' | 'now'>;

/** An action on many records. */
export type BulkAction = Deletion | Change | Run;

/** The actions on many records of a kind. A feature lists it in its manifest, under `bulks`. */
export interface BulkRule {
  readonly resource: Resource;
  /** The path of its routes: `/api/pages/{project_id}/redirects`. The actions are at `<path>/bulk`. */
  readonly path: string;
  /** First part of the operation id. */
  readonly id: string;
  /** Its group in the reference. */
  readonly tag: string;
  /** Plural, in sentences: `redirects`. */
  readonly noun: string;
  readonly actions: readonly BulkAction[];
  /** Action and members of a valid call, for the API reference and tests. */
  readonly example: Example<object>;
  /** The column with a record's title for people. */
  readonly title: string;
  /** The callers. Default: those with the least role of an action. */
  readonly access?: 'owner';
  /** Set if the role counts only in Default. */
  readonly accessUnit?: 'default';
  /** The shape of the area's error bodies; the surface's unless it has its own. */
  readonly envelope?: ErrorEnvelope;
  /** Returns the parent of these records, whose key is in the path. Throws if there is none. */
  readonly requireParent?: (
    db: ScopedDb,
    key: readonly string[],
  ) => Promise<{ readonly owner_bu_id: string }>;
  /**
   * Undoes changes of these records, not deletions. Default: earlier versions are restored as by `POST
   * /api/entity/restore`; kinds that cannot be restored so are not reverted.
   */
  readonly undo?: Undo;
  /** Returns filter fields of a request in addition to those of the resource. */
  readonly fields?: (
    ctx: Pick<MemberContext, 'db'>,
    filters: Readonly<Record<string, unknown>>,
  ) => Promise<Readonly<Record<string, FilterField>>>;
}

/** A change with the types of its members. */
interface TypedChange<M extends TObject> extends Omit<Change, 'patch' | 'unchanged'> {
  readonly members: M;
  readonly patch: (record: Members, members: Static<M>) => Members;
  readonly unchanged?: (members: Static<M>) => Readonly<Record<string, unknown>> | null;
}

/** Defines an action that changes records. */
export function bulkChange<M extends TObject>({ patch, unchanged, ...facts }: TypedChange<M>): BulkAction {
  const values = Compile(facts.members);
  return {
    ...facts,
    patch: (record, given) => patch(record, values.Parse(given)),
    ...(unchanged && { unchanged: (given: Members) => unchanged(values.Parse(given)) }),
  };
}

/** Returns the texts in a member of a record that is a list. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
