/** A target of a work queue. */
export interface Target {
  readonly tenantId: string;
  readonly targetId: string;
}

/** A row leased to this process, with the columns that its work queue requests. */
export interface Claim<Row = unknown> extends Target {
  readonly id: string;
  /** Number of attempts acknowledged before this one. */
  readonly attempts: number;
  /** Number of these attempts that were faults. */
  readonly faults: number;
  readonly row: Row;
  /** End of the lease; changes when the process that owns it claims the row again after it expired by the clock. */
  leasedUntil: string;
}
