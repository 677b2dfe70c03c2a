/** A target of a work queue. */
export interface Target {
  readonly tenantId: string;
  readonly targetId: string;
}

/** A claim for a row that does not exist yet; the row is inserted with it. */
export interface NewClaim extends Pick<Claim, 'claimId' | 'claimedAt'> {
  readonly leaseSeconds: number;
}

/** A row leased to this process, with the columns that its work queue requests. */
export interface Claim<Row = unknown> extends Target {
  readonly id: string;
  /** Number of attempts acknowledged before this one. */
  readonly attempts: number;
  /** Number of these attempts that were faults. */
  readonly faults: number;
  readonly row: Row;
  /**
   * Identifies the claim while its lease is renewed: a write that belongs to the attempt compares it. Changes when the
   * process that has the claim takes the row again because the lease ended.
   */
  claimId: string;
  /** Time of the claim on the monotonic clock, in ms: before the database computed the end of the lease. */
  readonly claimedAt: number;
}
