/** Properties that may be undefined, as properties that are absent or have a value. */
type Given<Props> = { [Key in keyof Props]?: Exclude<Props[Key], undefined> };

/** Leaves out properties without a value: React Aria's optional properties may be absent, but not undefined. */
export function given<Props extends object>(props: Props): Given<Props>;
export function given(props: object): object {
  return Object.fromEntries(Object.entries(props).filter(([, value]) => value !== undefined));
}
