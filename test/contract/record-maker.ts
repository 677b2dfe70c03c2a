/** Creates records that need more than one example request. */
import { randomUUID } from 'node:crypto';
import type { TestTenant } from '../harness/test-app.ts';

/** The tenant in which records are created, and the records that exist already. */
export interface World {
  readonly tenant: TestTenant;
  /** The address of a server that accepts every webhook. */
  readonly receiverUrl: string;
  /** Creates a record unless it exists, and returns its name. */
  readonly record: (name: string) => Promise<string>;
  /** Returns the example body of an operation, and creates the records that it names. */
  readonly body: (operationId: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** Creates a record and returns its name. */
export type Maker = (world: World) => Promise<string>;

/** Makers by the name of their record. */
export type Makers = Readonly<Record<string, Maker>>;

/** Returns a domain that no tenant uses. */
export function newDomain(): string {
  return `d${randomUUID()}.example`;
}
