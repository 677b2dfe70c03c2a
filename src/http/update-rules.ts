/** How a route updates a stored record. */
export interface Updates<Context = unknown, Input = unknown> {
  /**
   * Reads the record as its GET shows it, for a caller who may write it; null if it is missing. Absent: the route
   * itself keeps absent members.
   */
  current?(ctx: Context, input: Input): Promise<object | null>;
  /** Members that the route itself keeps when the body leaves them out. */
  readonly keeps?: readonly string[];
  /** Members that are set once: the route refuses another value. */
  readonly once?: readonly string[];
  /** Members that identify the record, so that PATCH requires them as well. */
  readonly named?: readonly string[];
  /** PUT replaces the whole record; only PATCH keeps absent members. */
  readonly replacesWhole?: true;
  /** For free-form records: the part that bodies write. Default: the members that the body's schema names. */
  contentOf?(record: object): object;
  /** Makes the response of an update that changes nothing. Default: the members of the reply schema. */
  unchanged?(current: object, body: object): object;
}
